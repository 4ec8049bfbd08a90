"""The version of this program, for the package, logs and saved machines."""

VERSION = "0.2.0"
