"""The people who deal: their roles in the rulebooks, their posts at the table, and their titles.

Talk, records, work lists and live tables take their words for a role from here. Pure data.
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
    """A post at the table, such as the stick or a base.

    ``roles`` are the rulebooks' words for its holder. ``relieved`` is the holder's title in a
    record's relief line, or "" if nobody relieves this post. ``hands`` is its name in the crew's
    work list. ``end`` is the post's end of the table, or "" for the center.
    """

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
#: The titles that a relief line may name.
RELIEF_TITLES = ("stickperson", "boxperson", BASE_DEALER, "left base dealer", "right base dealer")
#: Informal words for a role, in addition to its name and its post's.
ROLE_NICKNAMES: dict[str, Role] = {"boxman": "boxperson", "stickman": "stickperson"}
_ROLE_BY_WORD: dict[str, Role] = {
    **{post.name: post.roles[0] for post in POSTS if not post.end},
    **{role: role for role in ROLES},
    **ROLE_NICKNAMES,
}


def post_title(post: str) -> str:
    """Return the title of the holder of a post; any other role is returned unchanged.

    >>> [post_title(post) for post in ("left-base", "stick", "floor", "surveillance")]
    ['left base dealer', 'stickperson', 'floorperson', 'surveillance']
    """
    return next((p.relieved or p.roles[0] for p in POSTS if p.name == post), post)


def find_role(word: str) -> Role | None:
    """Return the role that a word such as "boxman" names, or None if it names no role.

    >>> find_role("boxman"), find_role("floor"), find_role("croupier")
    ('boxperson', 'floorperson', None)
    """
    return _ROLE_BY_WORD.get(word)


def find_posts_of_role(role: str) -> tuple[PostName, ...]:
    """Return the posts that a person in this role may hold.

    >>> find_posts_of_role("dealer")
    ('left-base', 'right-base')
    """
    return tuple(post.name for post in POSTS if role in post.roles)


def find_relieved_posts(word: str) -> tuple[CrewPost, ...]:
    """Return the posts that a title in a relief line names; "base dealer" names both bases.

    >>> [post.name for post in find_relieved_posts("base dealer")]
    ['left-base', 'right-base']
    """
    if word == BASE_DEALER:
        return tuple(post for post in POSTS if post.end)
    return tuple(post for post in POSTS if post.relieved == word)
