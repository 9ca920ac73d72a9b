"""Every key that a fernjax run has, with its default. Experiments state only what differs.

A key that is not here is an error; nothing in the library falls back on a default of its own.
"""

from ml_collections import ConfigDict


def get_config() -> ConfigDict:
    c = ConfigDict()
    c.task = "app"  # app: the tools of `domain` | snips: the public benchmark (configs/snips.py)
    c.domain = "calendar"  # a folder or file of fernjax/sim/domains/
    c.seeds = (0, 1, 2)  # each round is trained once a seed; the gate pairs them
    c.real_path = ""  # your own labelled JSONL becomes the gate; "" takes the sentences shipped with the app
    c.real_now = ""  # when its lines without "now" were said, ISO 8601; "" wants "now" in each dated line
    c.argument_mode = "point"  # write | fill | point
    c.abstain_below = 0.0  # a call of lower confidence becomes an abstention

    c.model = ConfigDict()
    c.model.vocab_size = 2048  # a tokenizer of this size is shipped: 2048, 4096 or 8192
    c.model.width = 192  # D
    c.model.heads = 6  # H
    c.model.kv_heads = 3  # grouped-query attention
    c.model.ff_width = 512  # F, of the gated feed-forward
    c.model.stem_blocks = 0  # unique blocks applied once, first
    c.model.core_blocks = 2  # unique blocks applied `loops` times
    c.model.loops = 2  # N
    c.model.tail_blocks = 0  # unique blocks applied once, last
    c.model.attention = "prefix"  # prefix: the sentence sees itself whole | causal
    c.model.rope_base = 10_000.0
    c.model.qk_norm = True
    c.model.logit_cap = 30.0  # soft cap, 0 for none
    c.model.embed_std = 0.05
    c.model.max_length = 96  # tokens of a sentence; longer ones are an error outcome
    c.model.max_calls = 2  # calls in one answer
    c.model.dtype = "auto"  # of the compute: bfloat16 where the chip has it, else float32, or one of the two;
    # weights and optimizer stay float32

    c.mesh = ConfigDict()  # devices of all processes, in two axes: both split the batch
    c.mesh.data = 0  # 0: all that fsdp leaves
    c.mesh.fsdp = 1  # splits parameters and optimizer state too

    c.recipe = ConfigDict()  # the first recipe; repairs change it, round by round
    c.recipe.buckets = ConfigDict(  # shares once the minimal pairs, all in_distribution, have taken theirs
        {
            "in_distribution": 0.27,
            "messy": 0.14,
            "oov_values": 0.05,
            "multi_constraint": 0.14,
            "error_inducing": 0.03,
            "out_of_scope": 0.25,
            "multi_call": 0.12,
        }
    )
    c.recipe.natural_negatives = 0.38  # share of out_of_scope that is plain text people wrote
    c.recipe.near_misses = 0.05  # share of it that other apps are asked; none of them holds a key word
    c.recipe.how_tos = 0.03  # share of it that asks how to do what a tool does
    c.recipe.contrastive = 0.1  # share of all that comes as minimal pairs: same object, other tool
    c.recipe.contrastive_verbs = 0.05  # share of all in pairs: same verb, other values or other object
    c.recipe.context = 0.06  # share with a word about oneself around the request: "i'm running late so ..."
    c.recipe.max_skeletons = 0  # 0: no limit; else ways to word each tool (the variety curve)
    c.recipe.wider_pools = 0.0  # share of tasks and event names from plain text in place of the pools

    c.train = ConfigDict()
    c.train.total_steps = 2000
    c.train.start_from = ""  # the folder of a `pretrain`, to begin with its broad model; "" for scratch
    c.train.repair_steps = 600  # steps of a challenger, and of its placebo, from the champion's weights
    c.train.batch_size = 32  # small ones learn more from as many sentences
    c.train.accumulate = 1  # parts that a batch is taken in, one after the other, for memory
    c.train.optimizer = "adamw"  # adamw | muon (matrices by Muon, the rest by AdamW)
    c.train.peak_lr = 2e-3
    c.train.repair_lr = 1e-3
    c.train.muon_lr = 0.02
    c.train.warmup_steps = 50
    c.train.decay_share = 0.4  # of the steps, at the end: linear to zero
    c.train.weight_decay = 0.05
    c.train.adam_b1 = 0.9
    c.train.adam_b2 = 0.98
    c.train.adam_eps = 1e-8
    c.train.muon_momentum = 0.95
    c.train.clip_norm = 1.0
    # Tokens of the longest sentence trained on, by argument mode; longer ones are drawn again. Three in ten
    # thousand are longer in `point`, yet one of them would pad, and slow down, a batch in every sixteen.
    c.train.longest = ConfigDict({"point": 48, "fill": 48, "write": 96})
    c.train.quant_noise = True  # train with weights rounded to int8 (straight through)
    c.train.save_every_steps = 250
    c.train.log_every_steps = 25
    c.train.data_workers = 1  # processes that make sentences ahead of the step
    c.train.profile_steps = 0  # so many steps of each training are traced into its folder's profile/

    c.eval = ConfigDict()
    c.eval.per_bucket = 200  # fresh generated sentences a bucket
    c.eval.negatives = 500  # natural, and as many templated
    c.eval.batch_size = 64

    c.gate = ConfigDict()
    c.gate.margin_real = 0.02
    c.gate.margin_bucket = 0.03
    c.gate.confidence = 0.90  # one-sided, paired bootstrap
    c.gate.bootstrap = 2000

    c.data = ConfigDict()  # what a broad model is pretrained on
    c.data.root = "runs/sources"  # the public sources' files; fetched into it where they are missing
    c.data.shards = "runs/shards"  # where they are kept as tokens; runs of the same data share them
    c.data.calls = ConfigDict({"sgd": 3.0, "composed": 2.0, "apps": 1.0})  # labelled sentences, by weight
    c.data.texts = ConfigDict(  # texts, by weight; files and hub are your own
        {"dialogues": 2.0, "sentences": 1.0, "episodes": 1.0, "files": 0.0, "hub": 0.0}
    )
    c.data.services = 0  # breadth: sets of tools that are trained on, drawn once from all; 0 for all
    c.data.apps = ()  # apps whose simulators make sentences and episodes; () for all
    c.data.app_sentences = 10_000  # of each
    c.data.composed_sets = 64  # random sets of tools
    c.data.composed_sentences = 1_000  # of each
    c.data.files = ()  # files or folders of .txt, .jsonl and .parquet
    c.data.hub = ""  # a data set of the Hugging Face hub
    c.data.hub_split = "train"
    c.data.hub_field = "text"
    c.data.hub_documents = 100_000

    c.pretrain = ConfigDict()  # a batch is `train.batch_size` groups
    c.pretrain.total_tokens = 0  # steps are as many as see about so many; 0: train.total_steps says how many
    c.pretrain.sentences = 24  # M, of a group
    c.pretrain.tools = 8  # W, that are read with them
    c.pretrain.out_of_scope = 0.2  # share of the sentences that other services are asked
    c.pretrain.texts = 1  # R, of a group
    c.pretrain.text_length = 256  # O, tokens of each
    c.pretrain.text_weight = 0.3  # of their loss, in nats a token, beside that of the calls
    c.pretrain.specialise = ConfigDict()  # specialists that start from each seed: `loop`s without rounds
    c.pretrain.specialise.domains = ()  # their apps
    c.pretrain.specialise.total_steps = (160,)  # one specialist for each
    c.pretrain.specialise.batch_size = 32
    c.pretrain.specialise.peak_lr = 2e-3
    c.pretrain.specialise.warmup_steps = 50

    c.world = ConfigDict()  # a learned world (`world`): a batch is `train.batch_size` rows
    c.world.apps = ("calendar",)  # whose steps are foretold
    c.world.left_out = ()  # apps that it is tried on besides
    c.world.calls = 8  # on one state, in one row; as many as fit
    c.world.row_length = 1024  # tokens of a row, at most
    c.world.state_length = 900  # tokens of a state; what is behind is cut off
    c.world.answer_length = 128  # tokens of an answer; calls with a longer one are drawn again
    c.world.episodes = 60  # that each app's world is judged on, of 8 steps each
    c.world.turns = 6  # of an episode before the calls of a row, at most

    c.rl = ConfigDict()  # a policy gradient that goes on from a specialist
    c.rl.sentences = 16  # of a step
    c.rl.samples = 8  # answers that are drawn to each
    c.rl.kl_weight = 0.02  # rewards that a nat of distance from the start costs

    c.snips = ConfigDict()  # training sentences of the task snips
    c.snips.swap = 0.3  # share of the values that are replaced by others of the same slot and intent
    c.snips.word_dropout = 0.05  # share of the words that are hidden

    c.fleet = ConfigDict()
    c.fleet.domains = ()  # the apps of a fleet, in this order; () for all

    c.log = ConfigDict()  # where the lines of metrics.jsonl go besides
    c.log.tensorboard = False  # WORKDIR/tensorboard; wants the extra "tensorboard"
    c.log.wandb_project = ""  # a Weights & Biases project; wants the extra "wandb"

    c.loop = ConfigDict()
    c.loop.rounds = 2  # after the first
    c.loop.placebo = True
    c.loop.max_hours = 0.0  # no new round is begun after so long; 0 for no limit
    return c
