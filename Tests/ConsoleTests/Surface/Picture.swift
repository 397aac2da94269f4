import Console

/// Returns a surface after drawing on it.
func picture(_ columns: Int, _ rows: Int, _ draw: (inout Surface) -> Void) -> Surface {
    var surface = Surface(Size(columns, rows))
    draw(&surface)
    return surface
}

/// Returns the text of a surface after drawing on it.
func drawn(_ columns: Int, _ rows: Int, _ draw: (inout Surface) -> Void) -> String {
    picture(columns, rows, draw).textDump
}
