import ArgumentParser
import CommandSupport
import Console
import Kernels

/// Draws random surfaces on the terminal, a new one for each key, so that a test can compare the received output with
/// the drawn surfaces. `q` quits.
struct SurfacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "surfaces")

    @Option(help: "Seed of the first surface.") var seed: Int = 1
    @OptionGroup var appearance: AppearanceOptions

    func run() throws {
        try answering {
            let terminal = try Terminal(appearance.settings().terminalOptions)
            defer { terminal.stop() }
            var number = 0
            while true {
                var surface = RandomSurface(seed: seed, number: number)
                terminal.present(surface.draw(terminal.size))
                for event in terminal.wait(until: nil) {
                    switch event {
                    case .key(.character("q")), .hangup, .terminate: return
                    case .key: number += 1
                    default: break
                    }
                }
            }
        }
    }
}

/// Draws text and blocks in colors that are often equal or nearly equal.
private struct RandomSurface {
    private let number: Int
    private var bits: SeededBits
    private var colors: [Color] = [.terminal]

    init(seed: Int, number: Int) {
        self.number = number
        bits = SeededBits(seed: UInt64(seed))
        // All surfaces of a seed share a palette, because a terminal has room for only a few thousand combinations.
        for _ in 0..<20 { colors.append(.indexed(UInt8(below(256)))) }
        for _ in 0..<10 { colors.append(.indexed(UInt8(below(16)))) }
        for _ in 0..<15 {
            let (red, green, blue) = (below(250), below(250), below(250))
            colors.append(.rgb(UInt8(red), UInt8(green), UInt8(blue)))
            // Nearly equal, like two weights of a heatmap.
            colors.append(.rgb(UInt8(red + 3), UInt8(green + 4), UInt8(blue + 5)))
        }
        bits = SeededBits(seed: UInt64(seed) &* 1_000_003 &+ UInt64(number))
    }

    private mutating func below(_ count: Int) -> Int { Int(bits.next() % UInt64(count)) }

    private static let texts = [
        "▀", "▀▀▀▀", "▄▄", "█", "▌▐", "▁▂▃▅▇", "▏▎▊", "░▒▓", "▖▞▙", "─│┼╭╯", "━┃", "⠿⡇⣀", " ", "    ", "text", "0.25",
        "·…✓✗◇", "é", "e\u{301}", "日本", "한글", "▀日", "🙂", "👍🏽", "🇨🇭", "नि", "☃️", "\u{E000}", "\u{1FAE8}",
    ]

    private mutating func style() -> Style {
        let first = colors[below(colors.count)]
        let second = below(4) == 0 ? first : colors[below(colors.count)]
        var style = Style(foreground: first, background: second)
        if below(3) == 0 { style.attributes = Style.Attributes(rawValue: UInt8(below(64))) }
        return style
    }

    mutating func draw(_ size: Size) -> Surface {
        var surface = Surface(size)
        for row in 0..<size.rows {
            var column = 0
            while column < size.columns {
                let text = Self.texts[below(Self.texts.count)]
                column += max(1, surface.put(text, at: Point(column: column, row: row), style: style()))
                if below(6) == 0 { column += below(12) }
            }
        }
        surface.put(" surface \(number) ", at: Point(column: 0, row: 0), style: .plain)
        if below(2) == 0 { surface.cursor = Point(column: below(size.columns), row: below(size.rows)) }
        return surface
    }
}
