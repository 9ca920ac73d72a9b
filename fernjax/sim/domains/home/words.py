"""Words of a home: rooms, devices, colours and drinks, and what kind of device a word names."""

from __future__ import annotations

from collections.abc import Mapping

ROOMS = tuple(
    "kitchen;living room;bedroom;bathroom;dining room;hallway;hall;garage;office;study;den;basement;"
    "attic;loft;porch;front porch;back porch;patio;deck;balcony;garden;backyard;back yard;front yard;"
    "driveway;master bedroom;guest room;guest bedroom;spare room;spare bedroom;kids room;kids' room;"
    "nursery;baby's room;playroom;game room;family room;sitting room;lounge;laundry room;utility room;"
    "pantry;closet;walk in closet;mudroom;entryway;entrance hall;foyer;staircase;stairs;stairwell;"
    "landing;upstairs hallway;downstairs hallway;upstairs bathroom;downstairs bathroom;guest bathroom;"
    "home office;library;gym;home gym;conservatory;sunroom;shed;workshop;studio;media room;"
    "home theater;bar;cellar;wine cellar;music room;breakfast nook;powder room;master bath;en suite;"
    "main bedroom;ground floor;top floor;back bedroom;front room;craft room;sewing room;dressing room;"
    "boot room;back hall;upstairs landing;reading corner;greenhouse;summer house;pool house;carport;"
    "terrace;courtyard;upstairs;downstairs;parlor;rec room;"
    "man cave;sauna;washroom;cloakroom;annex".split(";")
)
"""Rooms and places of a home."""

LAMPS = tuple(
    "lamp;floor lamp;desk lamp;bedside lamp;table lamp;reading lamp;night light;ceiling light;"
    "chandelier;spotlight;wall light;strip light;led strip;lava lamp;salt lamp;mood light;"
    "pendant light;fairy light;string light;christmas light;party light;under cabinet light;"
    "mirror light;vanity light;star projector;work light;picture light;standing lamp;corner lamp;"
    "piano lamp;flood light;rope light;lantern;track light;mood lamp;neon sign;security light;"
    "cabinet light;wardrobe light;shelf light;arc lamp;tripod lamp;banker lamp;wall lamp;sconce;"
    "stair light;garden light;globe light;neon light;aquarium light;nightstand lamp;clip lamp;moon lamp;"
    "paper lantern;grow light;dome light".split(";")
)
"""Lights that go by a name of their own."""

DEVICES = tuple(
    "fan;ceiling fan;tv;television;smart tv;plug;smart plug;socket;outlet;plug socket;smart socket;"
    "wemo;wemo plug;wemo switch;wifi plug;power strip;heater;space heater;electric heater;radiator;"
    "electric blanket;ac;air conditioner;air conditioning;humidifier;dehumidifier;air purifier;"
    "diffuser;christmas tree;fish tank;aquarium pump;kettle;toaster;slow cooker;rice cooker;iron;"
    "printer;monitor;computer;desktop;charger;phone charger;car charger;game console;projector;"
    "soundbar;stereo;subwoofer;sprinkler;fountain;pool pump;hot tub;washing machine;dishwasher;dryer;"
    "towel warmer;boiler;water heater;heating;furnace;extractor fan;exhaust fan;tower fan;desk fan;"
    "fireplace;smart switch;wall switch;switch;smart outlet;baby monitor;security camera;heat lamp;"
    "heated floor;bug zapper;garden lamp;popcorn maker;crockpot;bread maker;blender;treadmill;"
    "massage chair;power outlet;heat pump;swamp cooler;air fryer;router;cable box;receiver;heating pad;"
    "water feature;ice maker;wine cooler;vent;box fan;"
    "window unit;outdoor plug;surge protector".split(";")
)
"""Things that are switched on and off, in the singular."""

COLORS = tuple(
    "red;blue;green;yellow;orange;purple;pink;white;warm white;cool white;soft white;bright white;"
    "daylight;turquoise;teal;cyan;magenta;violet;lavender;indigo;gold;amber;crimson;scarlet;maroon;"
    "navy;navy blue;sky blue;baby blue;light blue;dark blue;royal blue;ocean blue;electric blue;"
    "ice blue;midnight blue;lime;lime green;forest green;mint;mint green;emerald;emerald green;"
    "sea green;olive;peach;coral;salmon;rose;rose gold;hot pink;light pink;neon pink;fuchsia;plum;"
    "lilac;mauve;burgundy;ruby;ivory;cream;aqua;aquamarine;tangerine;burnt orange;sunset orange;lemon;"
    "lemon yellow;pale yellow;mustard;candlelight;rainbow;dark red;deep purple;dark green;light green;"
    "neon green;cherry red;fire red;copper;bronze;chartreuse;periwinkle;sapphire;jade;apricot;blush;"
    "pale pink;warm yellow;soft yellow;blood orange;grape;raspberry;sunflower;cobalt;azure;deep blue;"
    "dim red;honey;pumpkin;champagne;cool blue;silver".split(";")
)
"""Colours of a light, as people say them."""

MOODS = tuple(
    "party;romantic;relax;relaxing;night;reading;movie;sunset;sunrise;cozy;christmas;halloween;disco;"
    "calm;focus;energize;dinner;bedtime;study;tropical;ocean;"
    "forest;fireplace;spa;aurora;spring".split(";")
)
"""Scenes: what people ask a light for where they name no colour."""

DRINKS = tuple(
    "espresso;double espresso;latte;cappuccino;americano;mocha;flat white;macchiato;latte macchiato;"
    "caramel macchiato;cortado;ristretto;lungo;black coffee;decaf;decaf coffee;iced coffee;cold brew;"
    "vanilla latte;iced latte;cafe latte;cafe au lait;drip coffee;filter coffee;french roast;"
    "dark roast;light roast;medium roast;house blend;hazelnut coffee;irish coffee;turkish coffee;"
    "vienna coffee;long black;red eye;gibraltar;breve;affogato;hot chocolate;white coffee;milk coffee;"
    "strong coffee;breakfast blend;pumpkin spice latte;caramel latte;chai latte;oat milk latte;"
    "skinny latte;decaf latte;decaf espresso;iced americano;iced mocha;white mocha;nitro coffee;"
    "cafe con leche;cafe cubano;doppio;vanilla cappuccino;hazelnut latte;dry cappuccino;half caff;"
    "colombian coffee;ethiopian coffee;arabica".split(";")
)
"""What a coffee machine makes, as people order it."""

POOLS: Mapping[str, tuple[str, ...]] = {
    "rooms": ROOMS,
    "lamps": LAMPS,
    "devices": DEVICES,
    "colors": COLORS,
    "moods": MOODS,
    "drinks": DRINKS,
}
"""The pools that the grammar draws from and no other app has."""

KIND_WORDS: Mapping[str, str] = {
    **dict.fromkeys(
        "light lighting lamp bulb lightbulb chandelier spotlight lantern nightlight".split(), "light"
    ),
    **dict.fromkeys(
        "thermostat heating heat ac aircon temperature temp furnace climate".split(), "thermostat"
    ),
    **dict.fromkeys("conditioner conditioning boiler".split(), "thermostat"),
    **dict.fromkeys("vacuum roomba hoover vac cleaner robot".split(), "vacuum"),
    **dict.fromkeys("coffee espresso percolator keurig nespresso".split(), "coffee"),
    **dict.fromkeys("door lock deadbolt".split(), "lock"),
    **dict.fromkeys("tv television telly".split(), "tv"),
    **dict.fromkeys("plug socket outlet wemo switch".split(), "plug"),
    **dict.fromkeys("fan ventilator".split(), "fan"),
}
"""The kind of device that a word names; of several words the last counts ("fan plug")."""

SPARE = frozenset(
    "smart wifi wi-fi electric electrical power machine maker air own device state status".split()
)
"""Words that tell no two devices of a kind apart."""

EVERY = frozenset("all every each both any everything".split())
"""Words that ask for all devices that fit."""

HERE = frozenset(("here", "room"))
"""Words for the room where the speaker stands."""

WHOLE_HOME = frozenset(
    "house home apartment flat place everywhere whole entire property inside indoor floor".split()
)
"""Words for the whole home."""

SAME_ROOM: Mapping[str, str] = {
    **dict.fromkeys(("lounge", "family room", "sitting room", "front room", "den", "parlor"), "living room"),
    **dict.fromkeys(("hall", "entryway", "foyer", "entrance", "entrance hall", "corridor"), "hallway"),
    **dict.fromkeys(("study", "home office"), "office"),
    **dict.fromkeys(("washroom", "restroom", "toilet", "bath"), "bathroom"),
    **dict.fromkeys(("master bedroom", "main bedroom", "bed"), "bedroom"),
    **dict.fromkeys(("backyard", "back yard", "yard"), "garden"),
}
"""What else a room is called; counts only where no room bears the name itself."""
