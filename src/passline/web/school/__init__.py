"""The dealer school in the browser: its pages and its API. What it asks, marks and keeps is
``passline.school``'s."""

from passline.web.school.api import SchoolApi
from passline.web.school.auditions import AuditionApi
from passline.web.school.learn_page import LearnPage, PostApi
from passline.web.school.learners import LearnerDesk
from passline.web.school.pages import SchoolPages

__all__ = [
    "AuditionApi",
    "LearnPage",
    "LearnerDesk",
    "PostApi",
    "SchoolApi",
    "SchoolPages",
]
