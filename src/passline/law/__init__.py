"""The law: rulebooks as typed, cited data, and the registers of their clauses."""

from passline.law.book import Book
from passline.law.cited import Cited
from passline.law.load import BOOKS, BookError, digest_of, rulebook
from passline.law.shelf import book_ids

__all__ = ["BOOKS", "Book", "BookError", "Cited", "book_ids", "digest_of", "rulebook"]
