// The head that holds a camera under the mouth of the shoe. Millimetres. Nothing of it was printed or mounted yet.
card_width = 63;        // of a card
card_gap = 0.8;         // between window and lid: one card, not two
window = [34, 42];      // what the camera sees of a card: its corner, and the mark beside
mark = [6, 6];          // black bars on white, beside the cards' way
working_distance = 60;  // from the lens to the card
camera_board = [38, 38];// of the camera, with its screws
camera_screws = 34;     // between its screws
led_ring = 24;          // radius of the ring of LEDs round the lens
wall = 3;

module window_plate() {
    difference() {
        cube([card_width + 2 * wall + mark[0], window[1] + 4 * wall, wall]);
        translate([wall, 2 * wall, -1]) cube([window[0], window[1], wall + 2]);
    }
    // side walls lead the card: it must not turn by more than three degrees
    for (x = [0, card_width + wall + mark[0]])
        translate([x, 0, wall]) cube([wall, window[1] + 4 * wall, card_gap]);
}

module shaft() {
    difference() {
        cube([camera_board[0] + 2 * wall, camera_board[1] + 2 * wall, working_distance]);
        translate([wall, wall, -1]) cube([camera_board[0], camera_board[1], working_distance + 2]);
    }
}

module floor_plate() {
    difference() {
        cube([camera_board[0] + 2 * wall, camera_board[1] + 2 * wall, wall]);
        translate([camera_board[0] / 2 + wall, camera_board[1] / 2 + wall, -1]) {
            cylinder(r = 8, h = wall + 2);
            for (x = [-1, 1], y = [-1, 1])
                translate([x * camera_screws / 2, y * camera_screws / 2, 0]) cylinder(r = 1.1, h = wall + 2);
        }
    }
}

translate([0, 0, working_distance]) window_plate();
shaft();
translate([0, 0, -wall]) floor_plate();
