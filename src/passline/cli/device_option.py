"""``--device gpu``: a graphics card instead of the processor's cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passline.cli.common import fail

if TYPE_CHECKING:
    from passline.simulation.gpu import GraphicsCard

DEVICE = click.option(
    "--device",
    type=click.Choice(["cpu", "gpu"]),
    default="cpu",
    help="What plays: the processor's cores, or an NVIDIA card.",
)


def card_asked(device: str) -> GraphicsCard | None:
    """The card, where one is asked for; where there is none, that ends the command."""
    if device != "gpu":
        return None
    from passline.simulation.gpu import NoCardError, open_card

    try:
        return open_card()
    except NoCardError as wrong:
        fail(f"--device gpu: {wrong}")
