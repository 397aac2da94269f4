/// The table from two palette indices to a color pair of the terminal.
///
/// ncurses takes a number for each combination of foreground and background and repaints what shows it when it is
/// redefined, so a number is given once and kept. When all are given, colors fall back to the first sixteen.
package struct ColorPairs {
    /// What ncurses can hold: beyond 32,767 it recycles.
    package static let most = 32_000

    private var numbers: [UInt16]
    private var next = 1
    private let limit: Int
    /// The part that is kept for combinations of the first sixteen colors and the terminal's own.
    private let reserve: Int
    private let define: (_ pair: Int, _ foreground: Int, _ background: Int) -> Bool

    /// - Parameter define: tells the terminal what a number means; false where it refuses.
    package init(available: Int, define: @escaping (_ pair: Int, _ foreground: Int, _ background: Int) -> Bool) {
        numbers = Array(repeating: 0, count: 257 * 257)
        limit = min(available, Self.most)
        reserve = limit > 4 * 289 ? 289 : 0
        self.define = define
    }

    /// The pair for two palette indices, nil being the terminal's own color; 0 where none is left.
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
        // Text stays legible in its color on the terminal's own background, where that combination is known.
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
