"""Addresses that are printed can be opened, and a wrong one is told apart."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest
from telexist.retarget.errors import BadInput
from telexist.teleop.viewers.web.page_address import (
    local_url,
    remote_url,
    require_free_port,
)


def test_a_page_for_all_is_reached_from_elsewhere_by_our_own_address() -> None:
    there = urlsplit(remote_url("0.0.0.0", 8080, "/?token=x"))
    assert there.hostname not in ("localhost", "0.0.0.0", None)
    assert (there.port, there.query) == (8080, "token=x")
    with socket.create_server(("0.0.0.0", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection((there.hostname, port), timeout=20.0) as browser:
            assert browser.getpeername()[1] == port


def test_a_page_for_this_machine_is_not_reached_from_elsewhere() -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        assert remote_url(host, 8080) == ""
        assert local_url(host, 8080) == "http://localhost:8080"


def test_a_page_at_one_address_has_one_url() -> None:
    assert local_url("192.0.2.7", 80) == remote_url("192.0.2.7", 80)
    assert local_url("2001:db8::7", 80) == "http://[2001:db8::7]:80"


@pytest.mark.parametrize("host", ["203.0.113.7", "300.1.2.3", "a" * 70])
def test_a_wrong_host_is_not_mistaken_for_a_busy_port(host: str) -> None:
    with pytest.raises(BadInput, match="--host") as error:
        require_free_port(host, 0)
    assert "--port" not in str(error.value)


def test_a_busy_port_is_told_as_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match="--port"):
            require_free_port("127.0.0.1", port)
