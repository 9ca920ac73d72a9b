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
    "man cave;sauna;washroom;cloakroom;annex;"
    "loo;toilet;snug;box room;airing cupboard;veranda;drawing room;store room;mezzanine;bunk room;"
    "lobby;corridor;entrance;alcove;larder;scullery;granny flat;barn;bonus room;sun porch;lanai;"
    "cinema room;prayer room;rooftop;playhouse;chicken coop;back garden;front garden;downstairs loo;"
    "side porch;little bedroom;big bedroom;middle bedroom;twins' room;teen room;in law suite;tack room;"
    "garden room;orangery;vestibule;wet room;gallery;trophy room;reading room;pool room;tv room;"
    "garden shed;side yard;crawl space;elevator;spare bathroom;main bathroom;kids bathroom;half bath;"
    "kitchenette;dinette;bay window;covered patio;tool shed;potting shed;darkroom;observatory;"
    "panic room".split(";")
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
    "paper lantern;grow light;dome light;"
    "big light;hall light;landing light;reading light;outside light;porch light;tube light;ring light;"
    "sun lamp;himalayan lamp;bar light;hob light;accent light;path light;step light;tree light;"
    "closet light;bulkhead light;bunk light;cove light;downlight;uplight;torch lamp;mushroom lamp;"
    "crystal lamp;lightbox;disco ball;disco light;candle lamp;gooseneck lamp;bathroom light;pool light;"
    "wall sconce;pantry light;stove light".split(";")
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
    "window unit;outdoor plug;surge protector;"
    "telly;geyser;cooler;immersion heater;towel rail;fan heater;oil radiator;hairdryer;curling iron;"
    "water pump;modem;xbox;playstation;apple tv;roku;chromecast;bubble machine;guitar amp;dvd player;"
    "coffee grinder;egg boiler;sandwich maker;waffle maker;juicer;food processor;microwave light;"
    "scanner;laptop dock;record player;turntable;karaoke machine;fog machine;photo frame;wall clock;"
    "mosquito zapper;pet feeder;cat fountain;terrarium heater;reptile lamp;incubator;dough mixer;"
    "steam mop;trouser press;shoe dryer;foot spa;infrared sauna;exercise bike;fridge light;"
    "shaver socket;ups;network switch;solar inverter;sump pump;attic fan;bathroom fan;whole house fan;"
    "evaporative cooler;mini split;pedestal fan;oil diffuser;essential oil diffuser;wax warmer;"
    "plate warmer;bottle warmer;steriliser;sound machine;nebulizer;heated mattress;heating mat;"
    "seed mat;patio heater;fire pit;outdoor heater;pond pump;pool heater;jacuzzi;irrigation;"
    "sprinkler system;driveway heater;block heater;ev charger;scooter charger;tool charger;3d printer;"
    "laser cutter;band saw;compressor;welder;dust collector;shop fan;freezer;mini fridge;beer fridge;"
    "tumble dryer;washer;garbage disposal;range hood;cooker hood;hotplate;instant pot;sous vide;"
    "yogurt maker;deep fryer;griddle;panini press;tv box;media player;av receiver;amplifier;wii;"
    "nintendo;gaming pc;second monitor;desk heater;usb hub;docking station;label printer;shredder".split(";")
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
    "dim red;honey;pumpkin;champagne;cool blue;silver;"
    "beige;brown;tan;grey;taupe;terracotta;rust;sepia;wine red;brick red;pistachio;moonlight;ice white;"
    "off white;candy pink;bubblegum pink;steel blue;powder blue;slate;mulberry;cerulean;ultramarine;"
    "opal;pearl;vermilion;ochre;flamingo;watermelon;cranberry;strawberry;cinnamon;butter yellow;"
    "canary yellow;golden yellow;sunshine yellow;moss green;army green;pine green;apple green;"
    "hunter green;grass green;sage;aubergine;eggplant;orchid;wisteria;iris;amethyst;cornflower blue;"
    "denim blue;peacock blue;blood red;rose red;rust orange;carrot orange;papaya;mango;melon;"
    "dusty pink;baby pink;shocking pink;barbie pink;bright purple;royal purple;pale green;pale blue;"
    "arctic blue;glacier blue;neon blue;neon yellow;neon orange;electric purple;turquoise green;"
    "caramel;chocolate;coffee brown;sand;straw;wheat;vanilla;snow white;natural white;neutral white;"
    "warm orange;warm pink;warm red;cool green;deep red;deep green;deep orange;bright red;bright blue;"
    "bright green;bright yellow;black light;ultraviolet;soft pink;soft blue;soft green".split(";")
)
"""Colours of a light, as people say them."""

MOODS = tuple(
    "party;romantic;relax;relaxing;night;reading;movie;sunset;sunrise;cozy;christmas;halloween;disco;"
    "calm;focus;energize;dinner;bedtime;study;tropical;ocean;"
    "forest;fireplace;spa;aurora;spring;"
    "cosy;festive;spooky;chill;meditation;yoga;gaming;cinema;theater;date night;romance;wake up;"
    "good night;nightlight;evening;morning;twilight;dawn;dusk;beach;jungle;galaxy;starlight;rave;"
    "nightclub;candle;lounge;concentration;homework;cleaning;cooking;welcome;holiday;valentine;"
    "new year;summer;autumn;winter;northern lights;underwater;campfire;soothing;nursery;storytime;"
    "dreamy;zen".split(";")
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
    "colombian coffee;ethiopian coffee;arabica;"
    "filter kaapi;south indian filter coffee;lavender latte;matcha latte;honey latte;coconut latte;"
    "almond milk latte;soy latte;soy cappuccino;oat flat white;oat cappuccino;almond cappuccino;"
    "decaf cappuccino;decaf americano;iced cappuccino;iced caramel latte;iced flat white;"
    "ristretto shot;triple espresso;espresso macchiato;long macchiato;piccolo;babyccino;frappe;"
    "frappuccino;mochaccino;peppermint mocha;gingerbread latte;cinnamon latte;maple latte;"
    "salted caramel latte;toffee latte;brown sugar latte;spanish latte;cortadito;romano;lungo decaf;"
    "pour over;french press coffee;instant coffee;mild coffee;espresso con panna;bulletproof coffee;"
    "dalgona;greek coffee;cuban coffee;kenyan coffee;sumatra;costa rican coffee;guatemalan coffee;"
    "single origin;americano with milk;cafe mocha;cafe creme;white americano;long espresso;short black;"
    "tall latte;kona coffee;mocha latte;weak coffee;blonde roast;espresso roast;morning blend;"
    "hazelnut cappuccino;vanilla coffee;caramel coffee;cinnamon coffee".split(";")
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
