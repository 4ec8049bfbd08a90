"""The words of the school: questions, explanations, reasons, and the labels of answer forms."""

from __future__ import annotations

from passline.game.words.refusals import format_words
from passline.game.words.wagers import layout_name

#: Sentences of the school by drill or subject and code, in the notation of ``format_words``.
SCHOOL_SENTENCES = {
    # Questions that can't be made
    "none.drill": "{book} has nothing to ask for {drill}",
    "none.audition": "{book} has nothing to ask at an audition",
    "none.number": "There is no such question. Use another seed.",
    "none.seats": "this house seats no players",
    "none.throw": "no player can throw here",
    "none.line": "{book} has no such line bet",
    "none.line-taken": "this house refuses the shooter's line bet",
    "none.busy-throw": "no throw decides enough bets at this table",
    "none.clause": "no clause of the rulebook decides it",
    "none.price": "{wager} never wins at a price",
    "none.odds": "this house takes no odds behind {flat:$}",
    "none.place": "{book} has no place bets",
    # Answers that can't be read
    "answer.negative": "{what} can't be negative: {value}",
    "answer.too-large": "{what}: {value} is too large",
    "answer.amount": "{what}: {value} is not an amount; write it like 12.00",
    "answer.chips": "{what}: {value} can't be read; write how many of each color ({colors:,})",
    "answer.no-chips": "{what}: write how many of each color ({colors:,})",
    "answer.color": "{what}: this house has no {value} chips, only {colors:,}",
    "answer.whole-number": "{what}: {value} is not a whole number",
    "answer.chip-count": "{what}: expected 0 to {most:,d} chips",
    "answer.choice": "{value} is not one of the choices; choose a number from 0 to {last}",
    "answer.words": "{what}: expected words, not {value}",
    "answer.words-length": "{what}: at most {most:,d} characters",
    "answer.list": "{what}: expected a list, not {value}",
    "answer.list-length": "{what}: {count} items, and at most {most} are allowed",
    "answer.amounts": "{value} is not an answer; write {count} amounts: {nouns}",
    "answer.empty-line": "the line is empty; answer with {hint}",
    "answer.line-length": "the line is too long: {most:,d} characters at most",
    "answer.nested": "the answer is nested too deep",
    "answer.step": "{what}: expected act, player, wager and amount",
    "answer.unreadable-step": "{what}: {value}",
    "answer.act": "{what}: {value} is not an act; choose {acts:,}",
    "answer.post": "{what}: {value} is not a post; choose {posts:,}",
    # Grades of any drill
    "grade.none": "no answer",
    "grade.skipped": "none",
    "grade.step": "{act} {player}'s {wager}",
    "grade.not-reached": "not reached",
    "grade.answer": "the answer is {answer} ({why})",
    "grade.explained": "the answer is {why}",
    "grade.amount": "{what} is {due:$.00}, not {given:$.00}: {difference:$.00} too "
    "{over:much|little}",
    "grade.missing": "{what} is missing: it is ${due}",
    "grade.chips": "the chips make {given:$.00}, and {due:$.00} is due",
    "grade.colors": "the amount is right, the colors are not: pay {chips}; missed was {missed}",
    "grade.choice": "the right choice: {stated}",
    # Choices, in any drill
    "choice.hint": "the number of a choice, or its words",
    # Explanations of payoffs
    "price.even": "{wager} pays even money: {stake:$} gets {paid:$}",
    "price.odds": "{wager} pays {win} to {per}: {key}",
    "price.units": "every ${per} gets ${win}: {units} × ${win} is {paid:$}",
    "price.exact": "{stake:$} gets {paid:$}",
    "price.rounded": "{stake:$} would get {exact:$.00}; rounded {up:up|down} to whole chips it "
    "gets {paid:$}",
    "key.times": "the key for the {name} is {times}: {times} × {stake:$} is {paid:$}",
    "key.words": "the key for the {name}: {key}",
    "key.in-head": "in the head: {key}",
    "payoff.chips": "{amount:$} in chips is {chips}: {how}",
    "payoff.manual": "as the manual pays them",
    "payoff.hint-any": "an amount or chips: 45, or 1 green 4 red, or g r r r r",
    "payoff.hint-chips": "the chips as the manual pays them: 1 green 4 red (or: g r r r r)",
    "payoff.which-chips": "in which chips? Name them by color: 1 green 4 red",
    "payoff.expected": "expected the payoff as an amount, in chips, or both",
    "payoff.chips-missing": "the amount is right, but the chips are missing: {chips}",
    # Positions on the layout
    "position.share": "the {ordinal} share from the center",
    "position.share-row": "the {ordinal} share from the center, {front:at the front|at the back}",
    "position.side": "toward the {end} end, in the player's position",
    "position.center": "in the center, on the {wager}, {side}",
    # The crew's work
    "work.call": "the call",
    "work.post": "the {act} at the {end} end",
    "work.bet": "{doing} {player}'s {wager}",
    "work.order": "{rule}: {first} comes before {then}",
    "work.not-due": "nothing is due for {what}",
    "work.nothing": "nothing",
    "work.players-bet": "{player}'s {wager}",
    "work.other-act": "{what} is to be {due}, not {done}",
    "work.again": "{what} was dealt with already",
    "work.loser-paid": "{what} lost and was paid",
    "work.due": "{step}: {due:$} is due, not {given:$}",
    "work.part": "{step}: the {due} {part}, not the {given}",
    "work.missed": "{step}, {amount:$}, was left out",
    "work.step": "step {number}",
    "work.step-fault": "step {number}: {fault}",
    "work.line": "{post}{end:, {end} end|}: {act}{player: {player}'s|}{wager: {wager}|}"
    "{amount: ${amount}|}{hand: with the {hand} hand|}{words: ({words})|}",
    "work.puck": "move the puck",
    "work.manual-pays": "the manual pays {chips}",
    "work.no-work": "There is no such work at that table.",
    "work.not-owed": "This post has nothing to do on that throw.",
    "work.graded": "The work on that throw has already been graded.",
    "work.no-learner": "No learner holds this post at this table.",
    # The path through the school
    "path.practice": "Practice: {due} due again",
    "path.lesson": "Read the lesson: {title}",
    "path.drill": "Drill {drill}, level {level}{of:: {right} of the last {of} right and at pace|}; "
    "8 of 10 pass",
    "path.shift": "Every gate is passed: deal a shift, then take the audition",
    "path.audition": "Take the audition",
    "path.passed": "Gate passed: {right} of {of} right and at pace.",
    "path.not-passed": "Not passed yet: {right} of {of} right and at pace; 8 of 10 pass.",
    # Shifts
    "shift.claim": "That {name} bet of {amount:$} is mine!",
    "shift.claim-why": "the {name} lies in {player}'s position",
    "shift.dispute": "No way, that was {heard}!",
    "shift.dispute-why": "the call stands until the box rules on it",
    "shift.dispute-box": "the dice lie as they were called, so the call stands",
    "shift.late-decided": "the late {wager} {paid:won {paid:$}|lost {taken:$}}: it was no bet",
    "shift.short": "You paid my {name} short!",
    "shift.short-why": "{player} is still owed {due:$} on the {name}",
    "shift.no-call": "This call is not open any more.",
    "shift.not-betting": "The dice are out already. Finish the work on this throw first.",
    "shift.no-work": "There is nothing to finish now. Send the dice out first.",
    "shift.no-throw": "No player can throw the dice now. Try again in a moment.",
    "shift.no-amount": "Every bet needs an amount above zero.",
    "shift.nothing-set": "Set the bet on the layout first, or refuse it.",
    "shift.missed": "{player} called '{say}', and nobody answered",
    "shift.refused-wrongly": "{player} called '{say}'; it is a good bet and was not booked",
    "shift.set-wrong": "{player} called '{say}': {due} is due, and {given} was set",
    "shift.not-said-back": "{player} called '{say}': {error}",
    "shift.say-bets": "the bet was not said back; say: {repeat}",
    "shift.other-share": "{player} called '{say}': the {wager} was set in the share of position "
    "{given}; it goes {where}",
    "shift.slow": "the roll took {seconds} seconds; the pace gives it {due}",
    "shift.sent-out": "The players had waited long enough: the dice went out without you.",
    "shift.hurry-1": "Come on, dealers, let's roll!",
    "shift.hurry-2": "We're waiting on you, dealer.",
    "shift.hurry-3": "Are we playing dice or not?",
    "shift.hurry-4": "Let's go, get the dice out!",
    "shift.booked": "{player}: {bets}",
    "shift.ruled": "{player} said '{say}': {reason}; you chose: {action}",
    "shift.void-fell": "A die left the table and fell {side}.",
    "shift.void-called": "A die left the table. The stick calls: {calls}.",
    "shift.void": "a die left the table: nothing was moved",
    "shift.void-not-called": "a die left the table: the stick calls no roll",
    "shift.void-no-side": "a die left the table: the stick also says where it fell: '{call}'",
    "shift.void-worked": "a die left the table, so nothing is taken or paid",
    "shift.void-overlooked": "a die left the table, so {step} was wrong",
    "shift.delivered": "{step}: the dealer {due}; you chose: {way}",
    "shift.no-work-due": "nothing was to be taken or paid on this throw",
    "shift.work-right": "all {count} steps are right",
    "shift.box-noticed": "the box noticed it: {words}",
    "shift.box-right": "you saw that {step} was wrong",
    "shift.box-wrong": "{step} was right",
    "shift.box-clean": "the dealers made no mistake, and you found none",
    # Learners
    "learner.no-name": "a learner's name can't be empty",
    "learner.name-length": "a learner's name has {most} characters at most",
    "learner.name-letters": "a learner's name must be printable and use the letters of one "
    "alphabet",
    "learner.file": "{path} can't be used: {error}",
    "learner.tokens-stored": "the learners' tokens can't be stored: {error}",
    "learner.tokens-read": "the learners' tokens can't be read: {error}",
    "learner.auditions": "the auditions can't be stored or read: {error}",
    "learner.database": "the database cannot be used: {error}",
    # What a question shows
    "shown.puck": "puck {puck:on {puck}|off}",
    "shown.dice": "dice {dice}",
    "shown.numbers": "on {numbers:and}",
    "shown.end": "{end} end",
    # The report of an audition
    "audition.title": "{practice:Practice audition|Audition} of {name}, {date}",
    "audition.setting": "Rulebook {rulebook}, seed {seed}, {minutes:{minutes:g} minutes|no clock}; "
    "{by_clock:ended by the clock|{ended}}",
    "audition.version": "Passline {version}; audition {audition:.16}; report {digest:.16}",
    "audition.result": "{passed:PASSED|NOT PASSED}: {total:g} of 100; {pass_mark} to pass; {right} "
    "of {of} right, {answered} answered",
    "audition.part": "  {part:<10} {points:>5g} of {weight} ({right} of {of})",
    "audition.no-speed": "Speed is not scored: there was no clock.",
    "audition.speed": "Speed: the right answers are {earned:.0f} seconds of work at a working "
    "dealer's pace, of {pace:.0f} in all; {used:.0f} seconds were used. The seconds of an answer "
    "count from the answer before it.",
    "audition.missed": "Clauses missed:",
    "audition.clause": "  {clause} (questions {questions:,})",
    "audition.wrong": "Wrong answers:",
    "audition.practice": "This is practice: nobody proctors it, and it gives no certificate. A "
    "server gives one, at /school/audition.",
    "audition.mark-none": "not answered",
    "audition.mark-right": "right",
    "audition.mark-late": "late",
    "audition.mark-wrong": "wrong",
    "audition.late": "after the time limit; {because}",
    "audition.timed-out": "by the clock",
    "audition.date": "Date",
    "audition.rulebook": "Rulebook",
    "audition.attempt": "Attempt",
    "audition.seed": "Seed",
    "audition.clock": "Clock",
    "audition.no-clock": "none",
    "audition.minutes": "{minutes} minutes",
    "audition.ended": "Ended",
    "audition.answered": "Answered",
    "audition.counts": "{answered} of {of}; {right} right",
    "audition.pass-mark": "Pass mark",
    "audition.program": "Program",
    "audition.program-version": "Passline {version}, level {level}",
    "audition.audition": "This audition",
    "audition.digest": "This report",
    "audition.mark": "{pass_mark} of 100, and three payoffs of four right",
    # The figures of lessons
    "figure.most-odds": "The most odds behind a pass bet, and what they win",
    "figure.pass-odds": "What pass and come odds win",
    "figure.dont-odds": "What odds laid on the don't win",
    "figure.place": "What place bets win",
    "figure.buy": "What buy bets win, before vigorish",
    "figure.lay": "What lay bets win, before vigorish",
    "figure.keys": "Propositions by their keys",
    "figure.presses": "Press moves of the manual",
    "figure.come-out": "On a come-out roll",
    "figure.other-point": "With another point up",
    "figure.on-point": "On the point",
    "figure.limits": "Minimums and maximums",
    "figure.shares": "Share the Wealth",
    "figure.dice": "The dice show {dice}",
    "figure.together": "Odds and flat bet together win {due:$}.",
    "figure.less-vig": " Less vigorish of {vig:$}: {due:$}.",
    "figure.press": "The win is {win:$}; {press:$} goes on the layout and {handed:$} to the player."
    "{thrown: The player throws in {thrown:$}.|}"
    "{overpaid: {overpaid:$} too much is set out, and goes back to the box.|}",
    "figure.pile-apron": "handed to the player",
    "figure.pile-beside": "beside the payoff",
    "figure.pile-box": "to the box",
    "figure.pile-come": "in the come",
    "figure.pile-hand": "in the hand",
    "figure.not-here": "Not in {book}: {why}.",
    "figure.no-chips": "no such chips ({error})",
    "figure.no-stack": "no chips make ${amount}",
    "figure.no-bet": "there is no {wager} bet",
    "figure.no-win": "{wager} does not win here",
    "figure.no-table": "this house has no such table",
    "figure.refused": "{why}",
    "figure.line-refused": "the house refuses '{line}'",
    # booking
    "booking.skill": "saying a called bet back and setting it",
    "booking.hint": "what you say back, then a slash and where the bet goes: place 6 for $12 / on "
    "the front line of the 6, the third share from the center",
    "booking.ask": "{player}, at place {place}, calls a bet. What do you say back, what do you "
    "book, and where does it go?",
    "booking.ask-money": "{player}, at place {place}, puts down {money:$} and calls a bet. What do "
    "you say back, what do you book, and where does it go?",
    "booking.book": "What you book",
    "booking.position": "position {place}",
    "booking.vig": "vig {vig:$}",
    "booking.change": "change {change:$}",
    "booking.no-part": "{value} leaves out the {part}",
    "booking.wrong-part": "the {part} is {due:$}, not {given:$}",
    "booking.wrong-place": "the player is at position {due}, not {given}",
    "booking.not-position": "no bet goes {where}",
    "booking.not-bets": "{value} does not say which bets you book; write: {bets}",
    "booking.repeat": "say back: {repeat}",
    "booking.no-new-bet": "this call makes no new bet",
    "booking.not-taken": "the house does not take {wager}",
    "booking.no-bets": "the house has no bets that a player could call",
    "booking.expected": "expected what you say back, or the bets",
    "booking.expected-set": "expected a slash after what you say back, and where the bet goes",
    "booking.no-repeat": "{value} does not say the bet back",
    "booking.other-bets": "{value} means {bets}",
    "booking.no-position": "{wager} has no position; it goes {where}",
    "booking.no-other": "{wager} goes {where} and nowhere else",
    "booking.lacking": "{wager} goes {where}; your answer lacks: {words:,}",
    # calls
    "calls.skill": "what the stick calls",
    "calls.hint": "the call in your own words: eight, easy eight",
    "calls.ask": "The dice show {dice}. What does the stick call?",
    "calls.no-stick": "{game} has no stick: a machine throws and calls",
    "calls.expected": "expected the call",
    "calls.list": "the list of facts",
    "calls.wrong": "{error}; the call is: {call}",
    "calls.right": "right: {call}",
    "calls.total": "the total is {total}, not {given}",
    "calls.false": "{value}: {fact} is not true here",
    "calls.missing": "{value} leaves out: {facts:,}",
    "calls.order": "{value} has every fact, but the number comes first",
    # errors
    "errors.skill": "finding the wrong step, and why it is wrong",
    "errors.hint": "the number of the wrong step, and why if you like: 3 wrong amount; if a step "
    "is missing, where it belongs, whose bet it is and which: 3 ann's field was left out",
    "errors.field-hint": "for a missing step, the player and the bet",
    "errors.bet": "{player}'s {wager}",
    "errors.name-bet": "a step is missing; also name the player and the bet: {player}'s {wager}",
    "errors.other-bet": "{value} does not name the bet that was left out: {player}'s {wager}",
    "errors.ask": "This is what the crew did. Which step is wrong, and why?",
    "errors.ask-press": "{player} presses the {number} to {to:$}. This is what the crew did. "
    "Which step is wrong, and why?",
    "errors.no-kind": "{value} does not say what is wrong; name one of: the amount, the order, the "
    "end, the hand, a missed bet, a paid loser, the flat bet first",
    "errors.not-reason": "{value} is not the reason",
    "errors.not-about": "{value} is not the reason: nothing is wrong with {names:,}",
    "errors.not-amount": "{value} is not the reason: {due:,} is due",
    "errors.place-refused": "the house does not take such a place bet",
    "errors.no-amount": "no step with an amount to miscount",
    "errors.no-press": "{wager} can't be pressed to {to:$}",
    "errors.clauses": "the mistake breaks no clause, or more than one",
    "errors.none": "no single mistake can be made here",
    "errors.unreadable": "{value} can't be read; write the number of a step, 1 to {most}",
    "errors.no-step": "there is no step {number}; choose 1 to {most}",
    "errors.other-step": "you named {named:,}, but step {number} is wrong",
    "errors.numbers": "expected the numbers of steps, not {value}",
    # groups
    "groups.skill": "across, inside and outside: what goes on each number",
    "groups.hint-words": "what a player would say: $32 across",
    "groups.hint-amounts": "each number with its amount: 4 10, 5 10, 6 12",
    "groups.ask-words": "What does a player say for these bets?",
    "groups.ask-amounts": "What goes on each number?",
    "groups.with-point": "the book leaves the point out; the {point} is in because the player "
    "says so",
    "groups.unit": "a unit {group}{left_out:, the point {left_out} left out|} is {unit:$}: "
    "{bets:,}",
    "groups.bet": "{amount:$} on {wager}",
    "groups.units": "{total:$} is {count} of them",
    "groups.in-all": "{total:$} in all",
    "groups.none": "{book} has no groups of place numbers",
    "groups.no-number": "this house can't place every number of {group}",
    "groups.limits": "no group of place bets fits the limits of this house",
    "groups.no-name": "there is no short name for these bets ({group})",
    "groups.unreadable": "{value} can't be read; write each number and its amount, like 6 12, 8 12",
    "groups.words-right": "{value} means these bets",
    "groups.not-bets": "{value} can't be read as bets; say '{say}'",
    "groups.other-bets": "{value} means {bets}; say '{say}'; {why}",
    "groups.expected": "expected an amount for each number",
    "groups.no-wager": "this house has no wager {value}",
    "groups.wrong": "{wager} gets {due:$}, not {given:$}; {bets}; {why}",
    # keys
    "keys.skill": "a proposition's payoff by its key",
    "keys.hint": "what is paid, and the key if you like: 75, 15 times the bet",
    "keys.ask": "What does the {name} win on this throw, and what is the key?",
    "keys.none": "{book} has no propositions",
    "keys.no-win": "the {name} wins nothing on this throw",
    "keys.units": "this house does not take the {name} in whole units",
    "keys.unreadable": "{value} can't be read; write the payoff, then the key if you like",
    "keys.expected": "expected the payoff, and the key if you like",
    "keys.no-key": "the key {value} can't be read; it is {key}",
    "keys.wrong": "the key {value} gives {times:g} times the bet; it is {key}",
    # limits
    "limits.skill": "the most odds behind a flat bet, and what they pay",
    "limits.hint": "the most odds, then what they pay: 50 60",
    "limits.ask": "What are the most odds behind this {wager}, and what do they pay?",
    "limits.by-win": "on the {number}, odds may win up to {times} times the flat bet of {flat:$}, "
    "{win:$}; at {price} that takes {most:$}",
    "limits.by-bet": "on the {number}, odds may be up to {times} times the flat bet of {flat:$}: "
    "{most:$}",
    "limits.none": "{book} has no odds",
    "limits.never-wins": "{wager} never wins",
    "limits.expected": "expected the most odds and what they pay",
    "limits.no-payoff": "the most odds are right, but the payoff is missing: ${paid}",
    # lines
    "lines.skill": "paying a line bet and its odds together",
    "lines.ask": "What do the {line} bet and its odds win together, and in which chips?",
    "lines.part": "{odds:odds|flat}: {chips}",
    "lines.together": "together {amount:$}",
    "lines.none": "{book} has no odds on the line",
    "lines.chips": "the chips of this house can't pay these bets exactly",
    # order
    "order.skill": "who takes, pays and places what, in order",
    "order.hint": "the numbers of the bets in order of work: 3 1 2 (or: take 3 1, pay 2 = 14)",
    "order.ask": "The dice show {dice}. What does the crew do, in order?",
    "order.steps": "in order: {steps:,}",
    "order.unreadable": "{value} can't be read; write the numbers of the bets, like 3 1 2",
    "order.no-bet": "there is no bet {number}; the bets are numbered 1 to {most}",
    "order.expected": "write the numbers of the bets in order of work, like 3 1 2",
    "order.right": "every loser, winner and new bet, in an order that the manual allows",
    "order.wrong": "{fault}{more: (and {more} more)|}; {why}",
    # payoffs
    "payoffs.skill": "paying a winner, from the chips as they lie",
    "payoffs.ask": "What does the {wager} win, and in which chips?",
    "payoffs.none": "{book} takes no {wager} that fits this level",
    "payoffs.chips": "the chips of this house can't pay {wager} exactly",
    # positions
    "positions.skill": "where a bet goes, and whose bet it is",
    "positions.ask-where": "Where does the {wager} bet of the player at place {place} go?",
    "positions.ask-whose": "Whose {wager} bet is the marked stack?",
    "positions.where": "{wager} of the player at place {place}, {end} end: {where}",
    "positions.whose": "{player} stands at place {place}: {where}",
    "positions.rule": "a bet lies where its player stands: bets of players on the stick's side in "
    "front, of players around the end behind, the nearest to the center first",
    "positions.how": "Places are numbered around the rail from the box's left. Every printed box "
    "has a share for each player at its end. Players on the stick's side are in front and players "
    "around the end behind. Shares are counted from the center.",
    "positions.player": "{player}, at place {place}",
    "positions.none": "{book} has no wagers to ask about at this level",
    "positions.no-two": "no two players have the same bet here",
    # press
    "press.skill": "pressing a place bet that won: the money and the hands",
    "press.hint": "paid, thrown in, pressed, handed over: 14 4 6 12 (or only paid and handed over)",
    "press.ask": "The {number} is thrown, and the player presses{two: both bets|} from the first "
    "stack to the second. What is paid, thrown in, pressed and handed over?",
    "press.sum": "{win:$} won{thrown: and {thrown:$} thrown in|}, less {press:$} pressed, is "
    "{handed:$} for the player",
    "press.limits": "no press fits the limits of this house",
    "press.chips": "the chips of this house can't make this press",
    "press.expected": "expected at least what is paid and what is handed over",
    "press.other-way": "{value} does not make this press; {way} does",
    "press.bank-hand": "the outside hand never goes into the bank",
    "press.delivery": "the outside hand delivers",
    "press.missing-chips": "the moves: {error}",
    "press.left": "the moves leave {left:{left}|nothing}, with {out:$} from the bank",
    "press.lies": "{amount:$} on {place}",
    "press.motion": "the moves: expected chips, from and to for each",
    "press.hand": "the moves: {value} is not a hand; write inside or outside",
    "press.moved": "{chips} from {source} to {target}",
    # rulings
    "rulings.skill": "ruling on throws, requests and disputes",
    "rulings.ask-throw": "The dice show {dice}. What happens to {player}'s {wager} bet of "
    "{amount:$}?",
    "rulings.ask-request": "{player} says: '{say}'. What is right?",
    "rulings.ask-no-roll": "{happened} The {caller} calls no roll. What is right?",
    "rulings.stays": "Nothing: it stays up, and this throw does not decide it.",
    "rulings.wins": "It wins, and the dealer pays it {paid:$}.",
    "rulings.part-back": "It loses; {back:$} of it comes back.",
    "rulings.loses": "It loses, and the dealer takes it.",
    "rulings.push": "It is a push: neither won nor lost.",
    "rulings.travels": "It is moved to {wager}, and stays up.",
    "rulings.off": "It was off: {amount:$} goes back to the player.",
    "rulings.allowed": "It is allowed, and the dealer does it.",
    "rulings.later": "It is refused for this roll, and the dealer does it after the next one.",
    "rulings.half": "It is allowed for half of the amount, and the rest goes back.",
    "rulings.refused": "It is refused: {why}.",
    "rulings.no-roll": "The call stands: it is no roll, and the throw is void.",
    "rulings.no-ground": "The call does not stand: that is no ground here.",
    "rulings.no-call": "The call does not stand: {why}.",
    "rulings.dice-pass": "The throw is void, and the dice pass to the next shooter.",
    "rulings.shooter-asks": "The throw counts unless the shooter asks for another.",
    "rulings.losers-count": "The throw counts only for wagers that lost.",
    "rulings.other-clause": "the ruling is right, but the clause is {clauses:,}",
    "rulings.no-choices": "there are no other rulings to choose from",
    "rulings.no-bets": "there are no bets on the table",
    "rulings.no-request": "no player can ask for anything here",
    "rulings.ground-refused": "this ground can't be called here",
    # terms
    "terms.skill": "the vocabulary of the game",
    "terms.ask-meaning": "What does '{term}' mean?",
    "terms.ask-term": "Which term means this?",
    "terms.none": "{book} defines no terms",
    # vig
    "vig.skill": "the vigorish on a buy or lay bet, and what the bet pays",
    "vig.hint": "the vigorish, then what is paid: 2 78",
    "vig.ask": "What is the vigorish on this {wager}, and what does it pay if it wins?",
    "vig.charge": "{percent:g} percent of {of_stake:the stake|what it wins}, {base:$}, is "
    "{exact:$.00}{rounding:, rounded {rounding} to the chip|}: {charge:$}, taken "
    "{won:when it wins|when it is made}",
    "vig.none": "{book} charges no vigorish on buy or lay bets",
    "vig.level": "this house takes no {wager} that fits this level",
    "vig.expected": "expected the vigorish and the payoff",
}

#: Where a wager lies, by the part of the felt that its rule puts it in (``felt/areas.py``): ``n``
#: is its number, ``line`` the front or the back line, ``share`` the player's share of the box.
POSITION_SENTENCES = {
    "pass": "on the pass line, before the player",
    "pass-odds": "behind the pass bet, off the line on the player's side",
    "dont-pass": "on the don't pass line, before the player",
    "dont-pass-odds": "beside the don't pass bet, toward the base dealer",
    "come": "in the come, {share}",
    "dont-come": "in the don't come box, {share}",
    "behind": "behind the {n}, {share}",
    "behind-odds": "behind the {n}, beside the flat and away from the box",
    "box": "in the box of the {n}, {share}",
    "box-odds": "in the box of the {n}, offset on the flat",
    "place": "on the {front:front|back} line of the {n}, {share}",
    "big": "in the big {n}",
    "field": "in the field, {share}",
    "hard": "on the {n} in the center, {share}",
    "fire": "on the numbered fire spot nearest the player",
    "bonus": "on the {n} spot before the box",
}
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip

#: What happened on a throw that is called no roll, by the ground of the call.
NO_ROLL_SCENES = {
    "cheating": "There are signs of cheating on the throw.",
    "hit-player": "A die hits a player.",
    "improper": "The dice are thrown improperly.",
    "in-cup": "A die comes to rest in the bowl or cup of the spare dice.",
    "interference": "Somebody stops a die on purpose.",
    "irretrievable": "A die falls where nobody at the table can reach it.",
    "leaning": "A die leans on chips, and nobody can tell which face is up.",
    "leaning-two-sides": "A die leans so that either of two faces could be up.",
    "misses-wall": "The dice miss the far wall again.",
    "missed-end": "The dice do not hit the far end of the table.",
    "no-line-bet": "The shooter has no line bet.",
    "no-tumble": "The dice slide and do not tumble.",
    "not-forward": "The dice are not thrown forward.",
    "not-together": "The dice do not leave the shooter's hand together.",
    "off-table": "A die goes off the table.",
    "on-bank": "A die comes to rest on the chips in the bank.",
    "on-rail": "A die comes to rest on the rail.",
    "on-working-stack": "A die comes to rest on a dealer's working stack.",
    "outside-surface": "A die rolls outside the playing surface.",
    "picked-up-early": "A player picks up a die before both have stopped.",
    "short-roll": "The dice roll less than half of the table.",
    "stacked": "One die comes to rest on top of the other.",
    "touched-chips": "A die touches chips on the layout.",
    "touched-coupons": "A die touches a coupon on the layout.",
    "wrong-count": "One die or three are thrown.",
    "wrong-shooter": "A player who is not the shooter throws the dice.",
    "wrong-way": "The dice are thrown in the wrong direction.",
}

#: The stacks of chips that a question shows.
STACK_NAMES = {"money": "put down", "stake": "the bet", "flat": "the flat bet", "odds": "the odds"}
#: The fields of answers by name: the label of the input, and the noun before a right answer.
FIELD_LABELS = {
    "call": ("The call", "the call"),
    "chips": ("The payoff", "in chips"),
    "choice": ("Your answer", ""),
    "handed": ("Handed over", "handed over"),
    "key": ("The key", "key"),
    "most": ("The most odds", "most odds"),
    "paid": ("Paid", "payoff"),
    "pressed": ("Pressed", "pressed"),
    "repeat": ("You say back", "say back"),
    "say": ("The player says", "say"),
    "set": ("Where it goes", "it goes"),
    "steps": ("The work, in order", ""),
    "thrown": ("Thrown in", "thrown in"),
    "vig": ("Vigorish", "vigorish"),
    "wagers": ("On each number", ""),
    "why": ("Why", "because"),
    "wrong": ("Which step is wrong?", "step"),
}
#: How messages name the values of an answer.
ANSWER_NOUNS = {
    "amount": "the amount",
    "any-amount": "an amount",
    "chips": "the chips",
    "clause": "the clause",
    "handed": "the amount handed over",
    "most": "the largest bet",
    "most-odds": "the most odds",
    "moves": "the moves",
    "paid": "the payoff",
    "position": "the position",
    "pressed": "the amount pressed",
    "reason": "the reason",
    "repeat": "what you say back",
    "steps": "the steps",
    "thrown": "the amount thrown in",
    "vig": "the vigorish",
    "words": "the words",
}
#: What a learner does about a call in a shift.
SHIFT_ACTIONS = {"book": "book it", "refuse": "no bet", "pay": "pay it", "box": "call the box"}
#: How a payoff is delivered in a shift.
SHIFT_DELIVERIES = {"beside": "beside the bet", "cap": "on top of it", "hand": "hand it off"}
#: What is done to a bet: as a dealer does it, and after it is done.
ACT_WORDS = {
    "take": ("taking", "taken"),
    "pay": ("paying", "paid"),
    "place": ("placing", "placed"),
    "move": ("move", "moved"),
}


def say_school(code: str, /, **figures: object) -> str:
    """Return a sentence of the school with its figures.

    ``wager`` is the wager's name in a record, and ``what`` may be a key of ``ANSWER_NOUNS``.

    >>> say_school("price.even", wager="pass", stake=1000, paid=1000)
    'pass line pays even money: $10 gets $10'
    """
    if wager := figures.get("wager"):
        figures["wager"] = layout_name(str(wager))
    if what := figures.get("what"):
        figures["what"] = ANSWER_NOUNS.get(str(what), what)
    return format_words(SCHOOL_SENTENCES[code], figures)


#: The bets of a fact such as ``field.lose``, what happens to them, and the other facts of a call.
_BET_NAMES = {
    "line": "pass line bets",
    "donts": "don't pass bets",
    "come": "come bets",
    "dont-come": "don't come bets",
    "boxes": "come bets in the boxes",
    "behind": "bets behind the number",
    "center": "center bets",
    "field": "field bets",
    "hardways": "hardway bets",
    "odds": "odds",
    "working": "working bets",
    "numbers": "bets on the numbers",
    "side": "side bets",
}
_RESULT_VERBS = {
    "win": "win",
    "lose": "lose",
    "push": "push",
    "travel": "travel to the number",
    "return": "are returned",
}
_FACT_NAMES = {
    "hard": "the hard way",
    "easy": "the easy way",
    "out": "the seven out",
    "winner": "the winner",
    "number": "the number",
    "craps": "craps",
    "field:1": "that the field pays even money",
    "field:2": "that the field pays double",
    "field:3": "that the field pays triple",
    "point.marked": "that the point is marked",
    "point.was": "what the point was",
}


def describe_fact(key: str) -> str:
    """Return a fact that a stick call should state, in plain words.

    ``key`` names it in the data; several facts are joined with "+".

    >>> describe_fact("field.lose"), describe_fact("point.was"), describe_fact("total:8")
    ('field bets lose', 'what the point was', 'the total 8')
    """
    parts = []
    for one in key.split("+"):
        bets, _, result = one.partition(".")
        if one in _FACT_NAMES:
            parts.append(_FACT_NAMES[one])
        elif one.startswith("total"):
            parts.append(f"the total {one.partition(':')[2]}")
        elif one.startswith("point.was:"):
            parts.append(f"that the point was {one.partition(':')[2]}")
        elif one.startswith("point.is:"):
            parts.append(f"that the point is {one.partition(':')[2]}")
        elif one.startswith("price:"):
            area, _, price = one.removeprefix("price:").removeprefix("bet:").partition("=")
            parts.append(f"that {_BET_NAMES.get(area) or layout_name(area)} at {price}")
        elif one.startswith("amount:"):
            parts.append(f"the amount {one.partition(':')[2]}")
        elif one.startswith("unknown:"):
            parts.append(f"'{one.partition(':')[2]}'")
        elif one.startswith("bet:"):
            name = layout_name(bets.partition(":")[2])
            parts.append(f"{name} {_RESULT_VERBS.get(result, result)}")
        elif result in _RESULT_VERBS:
            parts.append(f"{_BET_NAMES.get(bets, bets)} {_RESULT_VERBS[result]}")
        else:
            parts.append(one.replace("-", " ").replace(".", " "))
    return " and ".join(parts)
