import Console

/// A surface on which something was drawn, for comparing with a picture spelled out in a test.
func picture(_ columns: Int, _ rows: Int, _ draw: (inout Surface) -> Void) -> Surface {
    var surface = Surface(Size(columns, rows))
    draw(&surface)
    return surface
}

/// The text of a picture, so that a test reads as what is seen.
func drawn(_ columns: Int, _ rows: Int, _ draw: (inout Surface) -> Void) -> String {
    picture(columns, rows, draw).textDump
}
