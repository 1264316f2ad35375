"""For pytest and unittest."""
import unittest

import compiled_thing


class Thing(unittest.TestCase):
    def test_work(self):
        compiled_thing.call(3)
