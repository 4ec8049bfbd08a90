"""The build's one step of its own: the documentation goes into the package, for its pages."""

from pathlib import Path
from shutil import copyfile

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithManual(build_py):
    """Copies ``docs/*.md`` to ``passline/manual``; a checkout reads them where they are."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        manual = Path(self.build_lib) / "passline" / "manual"
        manual.mkdir(parents=True, exist_ok=True)
        for document in sorted(Path("docs").glob("*.md")):
            copyfile(document, manual / document.name)


setup(cmdclass={"build_py": BuildWithManual})
