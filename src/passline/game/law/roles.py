"""Who deals: the roles of the rulebooks, the posts they hold, and what each is called where.

Talk, records, work lists and live tables read their own words for a role from here.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

#: The members of a crew, as the rulebooks name them.
Role = Literal["dealer", "stickperson", "boxperson", "floorperson", "supervisor"]
ROLES: tuple[Role, ...] = get_args(Role)
#: Posts at a table, by their short names.
PostName = Literal["floor", "box", "stick", "left-base", "right-base"]
PostWork = Literal["supervisor", "box", "stick", "base"]
#: Both base dealers at once, or the only one.
BASE_DEALER = "base dealer"


class CrewPost(NamedTuple):
    """A post: ``roles`` is what rulebooks call whoever has it, ``relieved`` what a relief calls it
    (empty: nobody is relieved there), ``hands`` what a work list does; ``end``: of the table."""

    name: PostName
    roles: tuple[Role, ...]
    relieved: str
    hands: PostWork
    end: str = ""


POSTS = (
    CrewPost(name="floor", roles=("floorperson", "supervisor"), relieved="", hands="supervisor"),
    CrewPost(name="box", roles=("boxperson",), relieved="boxperson", hands="box"),
    CrewPost(name="stick", roles=("stickperson",), relieved="stickperson", hands="stick"),
    CrewPost(
        name="left-base", roles=("dealer",), relieved="left base dealer", hands="base", end="left"
    ),
    CrewPost(
        name="right-base",
        roles=("dealer",),
        relieved="right base dealer",
        hands="base",
        end="right",
    ),
)
#: What a relief may name.
RELIEF_TITLES = ("stickperson", "boxperson", BASE_DEALER, "left base dealer", "right base dealer")
#: What people say for a role, beside its name and its post's.
ROLE_NICKNAMES: dict[str, Role] = {"boxman": "boxperson", "stickman": "stickperson"}
_ROLE_BY_WORD: dict[str, Role] = {
    **{post.name: post.roles[0] for post in POSTS if not post.end},
    **{role: role for role in ROLES},
    **ROLE_NICKNAMES,
}


def post_title(post: str) -> str:
    """What whoever has a post is called; of any other role of a table, its own name.

    >>> [post_title(post) for post in ("left-base", "stick", "floor", "surveillance")]
    ['left base dealer', 'stickperson', 'floorperson', 'surveillance']
    """
    return next((p.relieved or p.roles[0] for p in POSTS if p.name == post), post)


def find_role(word: str) -> Role | None:
    """The role that a word stands for; None: nobody of the crew.

    >>> find_role("boxman"), find_role("floor"), find_role("croupier")
    ('boxperson', 'floorperson', None)
    """
    return _ROLE_BY_WORD.get(word)


def find_posts_of_role(role: str) -> tuple[PostName, ...]:
    """The posts whose holders rulebooks call so.

    >>> find_posts_of_role("dealer")
    ('left-base', 'right-base')
    """
    return tuple(post.name for post in POSTS if role in post.roles)


def find_relieved_posts(word: str) -> tuple[CrewPost, ...]:
    """The posts that a relief's word stands for.

    >>> [post.name for post in find_relieved_posts("base dealer")]
    ['left-base', 'right-base']
    """
    if word == BASE_DEALER:
        return tuple(post for post in POSTS if post.end)
    return tuple(post for post in POSTS if post.relieved == word)
