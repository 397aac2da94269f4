/// A converter from colors to a terminal's palette.
package struct Quantizer: Sendable {
    package let depth: ColorDepth

    package init(_ depth: ColorDepth) { self.depth = depth }

    /// A palette index, or `nil` for the terminal's default color.
    ///
    /// With eight colors, `bright` marks indices 8 to 15, which bold distinguishes from 0 to 7.
    package struct Entry: Hashable, Sendable {
        package var index: UInt8?
        package var bright = false

        package init(index: UInt8?, bright: Bool = false) {
            self.index = index
            self.bright = bright
        }
    }

    package func entry(for color: Color) -> Entry {
        if depth == .monochrome { return Entry(index: nil) }
        switch color.kind {
        case .terminal: return Entry(index: nil)
        case .indexed(let index):
            if depth == .palette { return Entry(index: index) }
            return reduced(index < 16 ? index : Self.nearestOfSixteen(Self.rgb(of: index)))
        case .rgb(let red, let green, let blue):
            let wanted = RGB(red: Int(red), green: Int(green), blue: Int(blue))
            if depth == .palette { return Entry(index: Self.nearestOf256(wanted)) }
            return reduced(Self.nearestOfSixteen(wanted))
        }
    }

    /// Returns the entry for an index from 0 to 15 in a palette of 16 or 8 colors.
    private func reduced(_ index: UInt8) -> Entry {
        if depth == .sixteen || index < 8 { return Entry(index: index) }
        // Bold black is invisible on many terminals, so dark gray becomes white without bold.
        if index == 8 { return Entry(index: 7) }
        return Entry(index: index - 8, bright: true)
    }

    package struct RGB: Hashable, Sendable {
        package var red: Int
        package var green: Int
        package var blue: Int

        package init(red: Int, green: Int, blue: Int) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// Returns the squared distance, weighted by the eye's sensitivity to each channel.
        ///
        /// - Source: "redmean", Thiadmer Riemersma.
        package func distance(to other: RGB) -> Int {
            let mean = (red + other.red) / 2
            let dr = red - other.red
            let dg = green - other.green
            let db = blue - other.blue
            return ((512 + mean) * dr * dr) / 256 + 4 * dg * dg + ((767 - mean) * db * db) / 256
        }
    }

    /// Levels of each channel in the color cube.
    private static let levels = [0, 95, 135, 175, 215, 255]

    /// xterm's defaults for the sixteen colors that users can redefine.
    private static let basic: [RGB] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
        (255, 255, 255),
    ].map { RGB(red: $0.0, green: $0.1, blue: $0.2) }

    /// Returns the color of an entry of xterm's 256-color palette.
    package static func rgb(of index: UInt8) -> RGB {
        let index = Int(index)
        if index < 16 { return basic[index] }
        if index >= 232 {
            let gray = 8 + 10 * (index - 232)
            return RGB(red: gray, green: gray, blue: gray)
        }
        let cube = index - 16
        return RGB(red: levels[cube / 36], green: levels[cube / 6 % 6], blue: levels[cube % 6])
    }

    /// Returns the nearest entry of the cube or the gray ramp, never one of the sixteen that users can redefine.
    package static func nearestOf256(_ wanted: RGB) -> UInt8 {
        func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
        let (r, g, b) = (step(wanted.red), step(wanted.green), step(wanted.blue))
        let cube = RGB(red: levels[r], green: levels[g], blue: levels[b])
        let average = (wanted.red + wanted.green + wanted.blue) / 3
        let ramp = min(23, max(0, (average - 3) / 10))
        let gray = RGB(red: 8 + 10 * ramp, green: 8 + 10 * ramp, blue: 8 + 10 * ramp)
        if gray.distance(to: wanted) < cube.distance(to: wanted) { return UInt8(232 + ramp) }
        return UInt8(16 + 36 * r + 6 * g + b)
    }

    /// Returns the nearest of the first sixteen colors.
    package static func nearestOfSixteen(_ wanted: RGB) -> UInt8 {
        var best = 0
        var least = Int.max
        for (index, color) in basic.enumerated() {
            let distance = color.distance(to: wanted)
            if distance < least { (best, least) = (index, distance) }
        }
        return UInt8(best)
    }

    /// Returns whether a 24-bit color is light, by its luma.
    package static func isLight(_ color: RGB) -> Bool {
        2126 * color.red + 7152 * color.green + 722 * color.blue > 127 * 10_000
    }
}
