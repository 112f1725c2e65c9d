"""A task whose acknowledgement fails does not keep a worker from ever taking another one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from kombu.transport import redis, virtual

from webapp.transport import LettingGo


class Gone(Exception):
    """The broker cannot be reached."""


@pytest.fixture
def qos(monkeypatch):
    def unreachable(self, *args, **kwargs):
        raise Gone

    monkeypatch.setattr(redis.QoS, "_remove_from_indices", unreachable)
    monkeypatch.setattr(redis.QoS, "restore_by_tag", unreachable)
    channel = SimpleNamespace(connection_errors=(Gone,), do_restore=False)
    qos = LettingGo(channel, prefetch_count=1)
    virtual.QoS.append(qos, SimpleNamespace(), "tag")
    return qos


@pytest.mark.parametrize("give_back", [lambda qos: qos.ack("tag"), lambda qos: qos.reject("tag", requeue=True)])
def test_it_takes_the_next_task_although_the_broker_was_not_told(qos, give_back):
    assert not qos.can_consume()
    with pytest.raises(Gone):
        give_back(qos)
    assert qos.can_consume()


def test_every_redis_channel_of_the_site_counts_so():
    assert redis.Channel.QoS is LettingGo
