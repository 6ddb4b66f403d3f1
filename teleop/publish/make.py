"""Makes publishers from what a user writes after `--publish`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from telexist.retarget.errors import UnknownName
from telexist.teleop.publish.publish_settings import read_publish_settings
from telexist.teleop.publish.yarp_publisher import YarpPublisher

__all__ = ["make_publisher", "open_publishers"]

KINDS = ("yarp",)


def make_publisher(text: str) -> YarpPublisher:
    """Make `yarp:HOST:PORT?what=wearables+state+wrench+dynamics+goal+frames`.

    Raises:
        UnknownName: If there is no such publisher.
        BadInput: If the rest of the text is wrong.
    """
    word = text.partition(":")[0].partition("?")[0]
    if word not in KINDS:
        raise UnknownName("publisher", word, KINDS)
    return YarpPublisher(
        read_publish_settings(text.removeprefix(word).removeprefix(":"))
    )


@contextlib.contextmanager
def open_publishers(texts: Sequence[str]) -> Iterator[list[YarpPublisher]]:
    """Make and open publishers; they are closed at the end, whatever happens.

    Raises:
        TelexistError: If one cannot be had.
    """
    publishers = [make_publisher(text) for text in texts]
    with contextlib.ExitStack() as stack:
        for publisher in publishers:
            stack.callback(publisher.close)
            publisher.open()
        yield publishers
