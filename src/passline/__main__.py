"""Run the command line: ``python -m passline``."""

from passline.cli.main import main

main()
