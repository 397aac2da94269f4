internal import Formatting

/// SVG paths for the lines, blocks, and dots in a run of cells with one style.
struct CellPath {
    let cellWidth: Double
    let cellHeight: Double
    /// Width of a light line, in pixels.
    let stroke: Double

    private var light = ""
    private var heavy = ""
    private var filled = ""
    private var dots = ""
    private var shades: [(opacity: Double, path: String)] = []
    /// Horizontal line that the next cell may extend.
    private var open: (x: Double, y: Double, end: Double, isHeavy: Bool)?

    init(cellWidth: Double, cellHeight: Double, stroke: Double) {
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
        self.stroke = stroke
    }

    mutating func add(_ glyph: UInt32, x: Double, y: Double) {
        switch glyph {
        case 0x256D...0x2570: arc(glyph, x, y)
        case 0x2500...0x257F: lines(glyph, x, y)
        case 0x2580...0x259F: block(glyph, x, y)
        default: braille(glyph, x, y)
        }
    }

    func elements(color: String, opacity: String) -> String {
        var path = self
        path.closeLine()
        var result = ""
        func add(_ d: String, _ attributes: String) {
            if !d.isEmpty { result += "<path d=\"\(d)\" \(attributes)\(opacity)/>\n" }
        }
        add(path.filled, "fill=\"\(color)\" shape-rendering=\"crispEdges\"")
        add(path.dots, "fill=\"\(color)\"")
        for shade in path.shades {
            result +=
                "<path d=\"\(shade.path)\" fill=\"\(color)\" opacity=\"\(Format.trimmed(shade.opacity, digits: 2))\"/>\n"
        }
        add(path.light, "fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(Format.trimmed(stroke, digits: 2))\"")
        add(path.heavy, "fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(Format.trimmed(2.5 * stroke, digits: 2))\"")
        return result
    }

    private func n(_ value: Double) -> String { Format.trimmed(value, digits: 2) }

    private mutating func stroke(_ d: String, weight: UInt8) {
        if weight == 2 { heavy += d } else { light += d }
    }

    /// Returns the center of a cell, aligned to half a pixel to keep light lines sharp.
    private func middle(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        ((x + cellWidth / 2).rounded(.down) + 0.5, (y + cellHeight / 2).rounded(.down) + 0.5)
    }

    private mutating func lines(_ glyph: UInt32, _ x: Double, _ y: Double) {
        guard let arms = CellShape.arms(of: glyph) else { return }
        let center = middle(x, y)
        if arms.left == arms.right, arms.left > 0 {
            horizontal(from: x, to: x + cellWidth, y: center.y, isHeavy: arms.left == 2)
        } else {
            if arms.left > 0 { horizontal(from: x, to: center.x + stroke / 2, y: center.y, isHeavy: arms.left == 2) }
            if arms.right > 0 {
                horizontal(from: center.x - stroke / 2, to: x + cellWidth, y: center.y, isHeavy: arms.right == 2)
            }
        }
        if arms.up > 0 { stroke("M\(n(center.x)) \(n(y))V\(n(center.y))", weight: arms.up) }
        if arms.down > 0 { stroke("M\(n(center.x)) \(n(center.y))V\(n(y + cellHeight))", weight: arms.down) }
    }

    /// Adds a horizontal line, joined with the line of the previous cell if possible.
    private mutating func horizontal(from start: Double, to end: Double, y: Double, isHeavy: Bool) {
        if let line = open, line.y == y, line.isHeavy == isHeavy, abs(line.end - start) < 0.01 {
            open?.end = end
            return
        }
        closeLine()
        open = (start, y, end, isHeavy)
    }

    private mutating func closeLine() {
        guard let line = open else { return }
        stroke("M\(n(line.x)) \(n(line.y))H\(n(line.end))", weight: line.isHeavy ? 2 : 1)
        open = nil
    }

    private mutating func arc(_ glyph: UInt32, _ x: Double, _ y: Double) {
        let center = middle(x, y)
        let toRight = glyph == 0x256D || glyph == 0x2570
        let toBottom = glyph == 0x256D || glyph == 0x256E
        let side = toRight ? x + cellWidth : x
        let end = toBottom ? y + cellHeight : y
        let radius = cellWidth / 2
        let bend = center.y + (toBottom ? radius : -radius)
        light += "M\(n(center.x)) \(n(end))V\(n(bend))Q\(n(center.x)) \(n(center.y)) \(n(side)) \(n(center.y))"
    }

    private mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        filled += rectanglePath(x, y, width, height)
    }

    private func rectanglePath(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        "M\(n(x)) \(n(y))h\(n(width))v\(n(height))h\(n(-width))z"
    }

    private mutating func block(_ glyph: UInt32, _ x: Double, _ y: Double) {
        let (w, h) = (cellWidth, cellHeight)
        switch glyph {
        case 0x2580: rectangle(x, y, w, h / 2)
        case 0x2581...0x2588:
            let part = h * Double(glyph - 0x2580) / 8
            rectangle(x, y + h - part, w, part)
        case 0x2589...0x258F: rectangle(x, y, w * Double(0x2590 - glyph) / 8, h)
        case 0x2590: rectangle(x + w / 2, y, w / 2, h)
        case 0x2591...0x2593: shades.append((Double(glyph - 0x2590) / 4, rectanglePath(x, y, w, h)))
        case 0x2594: rectangle(x, y, w, h / 8)
        case 0x2595: rectangle(x + w * 7 / 8, y, w / 8, h)
        default:
            // Quadrants: upper left, upper right, lower left, lower right.
            let sets: [UInt8] = [0b0010, 0b0001, 0b1000, 0b1011, 0b1001, 0b1110, 0b1101, 0b0100, 0b0110, 0b0111]
            let set = sets[Int(glyph - 0x2596)]
            for quadrant in 0..<4 where set & (0b1000 >> quadrant) != 0 {
                rectangle(x + w / 2 * Double(quadrant % 2), y + h / 2 * Double(quadrant / 2), w / 2, h / 2)
            }
        }
    }

    private mutating func braille(_ glyph: UInt32, _ x: Double, _ y: Double) {
        let radius = cellWidth * 0.13
        for bit in 0..<8 where glyph & (1 << UInt32(bit)) != 0 {
            // Bits 0 to 2 and 6 are the left column from top to bottom, 3 to 5 and 7 the right one.
            let column = bit < 6 ? bit / 3 : bit - 6
            let row = bit < 6 ? bit % 3 : 3
            let cx = x + cellWidth * (0.25 + 0.5 * Double(column))
            let cy = y + cellHeight * (0.125 + 0.25 * Double(row))
            dots +=
                "M\(n(cx - radius)) \(n(cy))a\(n(radius)) \(n(radius)) 0 1 0 \(n(2 * radius)) 0"
                + "a\(n(radius)) \(n(radius)) 0 1 0 \(n(-2 * radius)) 0z"
        }
    }
}
