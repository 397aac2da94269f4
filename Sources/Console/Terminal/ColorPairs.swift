/// A table of ncurses color pairs by foreground and background.
///
/// ncurses identifies each combination by a number, and redefining a number repaints the cells that use it. Numbers are
/// therefore assigned once and never reused. After all numbers are assigned, colors fall back to the first sixteen.
package struct ColorPairs {
    /// Maximum number of pairs; ncurses reuses numbers above 32,767.
    package static let maximum = 32_000

    private var numbers: [UInt16]
    private var next = 1
    private let limit: Int
    /// Pairs reserved for combinations of the first sixteen colors and the terminal's default color.
    private let reserve: Int
    private let define: (_ pair: Int, _ foreground: Int, _ background: Int) -> Bool

    /// Creates an empty table.
    ///
    /// - Parameter define: Defines a pair and returns whether the terminal accepted it.
    package init(available: Int, define: @escaping (_ pair: Int, _ foreground: Int, _ background: Int) -> Bool) {
        numbers = Array(repeating: 0, count: 257 * 257)
        limit = min(available, Self.maximum)
        reserve = limit > 4 * 289 ? 289 : 0
        self.define = define
    }

    /// Returns the pair for two palette indices, with `nil` for the terminal's default color; 0 if no pair is left.
    package mutating func number(foreground: UInt8?, background: UInt8?) -> Int32 {
        let slot = slot(foreground, background)
        if numbers[slot] != 0 { return Int32(numbers[slot]) }
        if foreground == nil, background == nil { return 0 }
        let basic = (foreground ?? 0) < 16 && (background ?? 0) < 16
        if next < (basic ? limit : limit - reserve), define(next, index(foreground), index(background)) {
            numbers[slot] = UInt16(next)
            next += 1
            return Int32(numbers[slot])
        }
        if !basic { return number(foreground: nearest(foreground), background: nearest(background)) }
        // The text keeps its color on the terminal's default background, if that pair is defined.
        return Int32(numbers[self.slot(foreground, nil)])
    }

    private func slot(_ foreground: UInt8?, _ background: UInt8?) -> Int {
        (index(foreground) + 1) * 257 + index(background) + 1
    }

    private func index(_ color: UInt8?) -> Int { color.map(Int.init) ?? -1 }

    private func nearest(_ color: UInt8?) -> UInt8? {
        guard let color, color >= 16 else { return color }
        return Quantizer.nearestOfSixteen(Quantizer.rgb(of: color))
    }
}
