"""The law: rulebooks as typed, cited data, and the registers of their clauses."""

from passline.law.book import Book
from passline.law.cited import Cited
from passline.law.digest import digest_of
from passline.law.load import BOOKS, BookError, rulebook
from passline.law.shelf import book_ids

__all__ = ["BOOKS", "Book", "BookError", "Cited", "book_ids", "digest_of", "rulebook"]
