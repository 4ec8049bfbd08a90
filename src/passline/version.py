"""The version of this program, in one place: the package's, a log's, a saved machine's."""

VERSION = "0.2.0"
