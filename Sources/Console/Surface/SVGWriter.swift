internal import Formatting

/// A writer that exports surfaces as SVG: first the backgrounds, then shapes and text.
struct SVGWriter {
    let surface: Surface
    let canvas: Theme.Canvas
    let options: SVGOptions
    private var body = ""

    init(surface: Surface, canvas: Theme.Canvas, options: SVGOptions) {
        self.surface = surface
        self.canvas = canvas
        self.options = options
    }

    private var cellWidth: Double { options.fontSize * options.advance }
    private var cellHeight: Double { (options.fontSize * options.lineHeight).rounded() }

    mutating func write() -> String {
        let width = Double(surface.size.columns) * cellWidth + 2 * options.margin
        let height = Double(surface.size.rows) * cellHeight + 2 * options.margin
        for row in 0..<surface.size.rows {
            paintBackgrounds(row)
        }
        for row in 0..<surface.size.rows {
            paintForegrounds(row)
        }
        paintCursor()
        let background = canvas.background.rgbSpelling ?? "#000000"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" role="img" width="\(number(width))" height="\(number(height))" \
            viewBox="0 0 \(number(width)) \(number(height))">
            <title>\(escaped(options.title))</title>
            <rect width="100%" height="100%" rx="\(number(options.cornerRadius))" fill="\(background)"/>
            <g transform="translate(\(number(options.margin)) \(number(options.margin)))" \
            font-family="\(escaped(options.fontFamily))" font-size="\(number(options.fontSize))" xml:space="preserve">
            \(body)</g>
            </svg>

            """
    }

    /// Returns the visible colors of a style, swapped if it has the reverse attribute.
    private func colors(of style: Style) -> (foreground: String, background: String?) {
        let foreground = style.foreground.rgbSpelling ?? canvas.foreground.rgbSpelling ?? "#ffffff"
        guard style.attributes.contains(.reverse) else { return (foreground, style.background.rgbSpelling) }
        let background = style.background.rgbSpelling ?? canvas.background.rgbSpelling ?? "#000000"
        return (background, foreground)
    }

    private func cells(of row: Int) -> ArraySlice<Cell> {
        surface.cells[row * surface.size.columns..<(row + 1) * surface.size.columns]
    }

    private mutating func paintBackgrounds(_ row: Int) {
        let cells = Array(cells(of: row))
        var start = 0
        while start < cells.count {
            let background = colors(of: cells[start].style).background
            var end = start + 1
            while end < cells.count, colors(of: cells[end].style).background == background { end += 1 }
            if let background { paintRectangle(columns: start..<end, row: row, fill: background) }
            start = end
        }
    }

    private mutating func paintRectangle(columns: Range<Int>, row: Int, fill: String) {
        body += """
            <rect x="\(number(Double(columns.lowerBound) * cellWidth))" y="\(number(Double(row) * cellHeight))" \
            width="\(number(Double(columns.count) * cellWidth))" height="\(number(cellHeight))" fill="\(fill)" \
            shape-rendering="crispEdges"/>

            """
    }

    private mutating func paintForegrounds(_ row: Int) {
        let cells = Array(cells(of: row))
        var start = 0
        while start < cells.count {
            let style = cells[start].style
            let isShape = CellShape.covers(cells[start].glyph)
            // Wide glyphs and clusters rarely have the width of their cells in the font, so each gets its own position.
            let isAlone = cells[start].width == 2 || cells[start].glyph > 0x2FF
            var end = start + 1
            while end < cells.count, cells[end].style == style, cells[start].width != 0,
                isShape
                    ? CellShape.covers(cells[end].glyph)
                    : !isAlone && cells[end].glyph <= 0x2FF && cells[end].width == 1
            {
                end += 1
            }
            if isShape {
                paintShapes(cells[start..<end], row: row, style: style)
            } else if cells[start].width != 0 {
                paintText(cells[start..<end], row: row, style: style)
            }
            paintLines(columns: start..<end, row: row, style: style)
            start = end
        }
    }

    private mutating func paintShapes(_ cells: ArraySlice<Cell>, row: Int, style: Style) {
        var path = CellPath(cellWidth: cellWidth, cellHeight: cellHeight, stroke: max(1, options.fontSize / 14))
        for (column, cell) in zip(cells.indices, cells) {
            path.add(cell.glyph, x: Double(column) * cellWidth, y: Double(row) * cellHeight)
        }
        let color = colors(of: style).foreground
        let opacity = style.attributes.contains(.dim) ? " opacity=\"0.6\"" : ""
        body += path.elements(color: color, opacity: opacity)
    }

    private mutating func paintText(_ cells: ArraySlice<Cell>, row: Int, style: Style) {
        // Blanks at both ends are invisible.
        guard let first = cells.firstIndex(where: { $0.glyph != 0x20 }),
            let last = cells.lastIndex(where: { $0.glyph != 0x20 })
        else { return }
        var text = ""
        for cell in cells[first...last] { surface.append(cell, to: &text) }
        let columns = last - first + (cells[first].width == 2 ? 2 : 1)
        let baseline = Double(row) * cellHeight + (cellHeight + options.fontSize * 0.72) / 2
        var attributes = " fill=\"\(colors(of: style).foreground)\""
        if style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
        if style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
        if style.attributes.contains(.dim) { attributes += " opacity=\"0.6\"" }
        body += """
            <text x="\(number(Double(first) * cellWidth))" y="\(number(baseline))" \
            textLength="\(number(Double(columns) * cellWidth))" lengthAdjust="spacingAndGlyphs"\(attributes)>\
            \(escaped(text))</text>

            """
    }

    /// Adds lines for underline and strikethrough, even across blanks.
    private mutating func paintLines(columns: Range<Int>, row: Int, style: Style) {
        let heights: [(Style.Attributes, Double)] = [(.underline, 0.92), (.strikethrough, 0.55)]
        for (attribute, height) in heights where style.attributes.contains(attribute) {
            let y = number(((Double(row) + height) * cellHeight).rounded() + 0.5)
            body += """
                <path d="M\(number(Double(columns.lowerBound) * cellWidth)) \(y)H\
                \(number(Double(columns.upperBound) * cellWidth))" stroke="\(colors(of: style).foreground)"/>

                """
        }
    }

    private mutating func paintCursor() {
        guard let cursor = surface.cursor, surface.bounds.contains(cursor) else { return }
        body += """
            <rect x="\(number(Double(cursor.column) * cellWidth))" y="\(number(Double(cursor.row) * cellHeight))" \
            width="\(number(cellWidth))" height="\(number(cellHeight))" \
            fill="\(canvas.foreground.rgbSpelling ?? "#ffffff")" opacity="0.5"/>

            """
    }

    private func number(_ value: Double) -> String { Format.trimmed(value, digits: 2) }

    private func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
