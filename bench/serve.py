"""What the peers have in common: requests in, answers out."""
import json
import os
import sys


def serve(new):
    """Answer each line of stdin, {"do": name, ...}, by that method of new()."""
    # Nothing but answers may go to the pipe.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = new()
    for line in sys.stdin:
        try:
            request = json.loads(line)
            answer = getattr(peer, request.pop("do"))(**request) or {}
        except Exception as e:
            answer = dict(error=f"{type(e).__name__}: {e}")
        out.write(json.dumps(answer) + "\n")
        out.flush()
