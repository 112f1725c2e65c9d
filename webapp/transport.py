"""One correction to how the Redis transport counts what a worker has in hand.

A worker takes one task at a time, and while it has one it does not listen to the broker. When the broker goes away just
then, acknowledging the task fails, and kombu keeps counting it as in hand: the worker waits for ever, connected to
nothing, saying nothing. Here a task whose acknowledgement fails is no longer in hand. The worker then listens again,
notices the lost connection and reconnects; the broker hands the task out once more later, and the answer's row says
that it is done.
"""

from __future__ import annotations

from typing import Any

from kombu.transport import redis, virtual


class LettingGo(redis.QoS):
    """Counts a task as out of hand even when the broker could not be told."""

    def ack(self, delivery_tag: Any) -> None:
        try:
            super().ack(delivery_tag)
        except self.channel.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: Any, requeue: bool = False) -> None:
        try:
            super().reject(delivery_tag, requeue=requeue)
        except self.channel.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


def install() -> None:
    """Have every Redis channel of this process count so."""
    redis.Channel.QoS = LettingGo
