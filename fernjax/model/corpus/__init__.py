"""What a broad model is pretrained on: sources, their conversion, shards on disk, and how they are mixed."""
