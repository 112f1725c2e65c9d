"""The embedded broker keeps its queue through anything short of a lost disk."""

from __future__ import annotations

import os
import signal
import time

import pytest

from webapp import broker
from webapp.environment import read_environment
from webapp.supervisor import Supervisor


def wait_for_broker(unix_socket) -> None:
    deadline = time.monotonic() + 20
    while not broker.answers(unix_socket):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def environment(tmp_path):
    return read_environment({}, base_dir=tmp_path)


@pytest.fixture
def supervisor(tmp_path):
    supervisor = Supervisor(log_dir=tmp_path / "logs", say=lambda line: None)
    yield supervisor
    supervisor.stop()


def test_it_keeps_what_was_queued_when_it_is_killed(environment, supervisor):
    child = broker.broker_child(environment)
    supervisor.start(child)
    wait_for_broker(environment.broker_socket)
    for number in range(200):
        broker.ask(environment.broker_socket, f"LPUSH interactive {number}")
    os.kill(child.process.pid, signal.SIGKILL)
    child.process.wait()
    supervisor.tend()
    wait_for_broker(environment.broker_socket)
    assert broker.ask(environment.broker_socket, "LLEN interactive") == ":200"


def test_only_its_owner_reaches_it(environment, supervisor):
    supervisor.start(broker.broker_child(environment))
    wait_for_broker(environment.broker_socket)
    assert environment.broker_socket.stat().st_mode & 0o077 == 0


def test_one_that_an_earlier_start_left_behind_is_dismissed(environment, supervisor):
    child = broker.broker_child(environment)
    supervisor.start(child)
    wait_for_broker(environment.broker_socket)
    assert broker.dismiss_forgotten(environment.broker_socket)
    assert child.process.wait(timeout=10) == 0
    assert not broker.dismiss_forgotten(environment.broker_socket)


def test_it_listens_for_a_data_folder_with_a_long_path(tmp_path, supervisor):
    environment = read_environment({"DATA_DIR": str(tmp_path / ("long" * 40))}, base_dir=tmp_path)
    supervisor.start(broker.broker_child(environment))
    wait_for_broker(environment.broker_socket)
