import Console
import Testing

@Suite("Color quantization")
struct QuantizerTests {
    @Test(
        "a 24-bit color becomes the nearest entry of the cube or the gray ramp",
        arguments: [
            (Color.rgb(0, 0, 0), UInt8(16)), (.rgb(255, 255, 255), 231), (.rgb(255, 0, 0), 196), (.rgb(0, 95, 135), 24),
            (.rgb(8, 8, 8), 232), (.rgb(128, 128, 128), 244), (.rgb(238, 238, 238), 255), (.rgb(97, 96, 94), 59),
            (.rgb(30, 30, 46), 235), (.rgb(250, 100, 50), 203),
        ])
    func nearest(color: Color, index: UInt8) {
        #expect(Quantizer(.palette).entry(for: color) == Quantizer.Entry(index: index))
    }

    @Test("the chosen entry is close to the optimum")
    func nearlyOptimal() {
        var generator = SplitMix(state: 7)
        for _ in 0..<500 {
            let bits = generator.next()
            let wanted = Quantizer.RGB(red: Int(bits & 255), green: Int(bits >> 8 & 255), blue: Int(bits >> 16 & 255))
            let taken = Quantizer.rgb(of: Quantizer.nearestOf256(wanted)).distance(to: wanted)
            let best = (16...255).map { Quantizer.rgb(of: UInt8($0)).distance(to: wanted) }.min() ?? 0
            // The nearest level of each channel is not always the weighted optimum, but always close to it.
            #expect(taken <= 2 * best + 400, "\(wanted)")
        }
    }

    @Test("every entry of the cube and the ramp is its own nearest entry", arguments: 16...255)
    func ownNearest(index: Int) {
        let color = Quantizer.rgb(of: UInt8(index))
        #expect(Quantizer.rgb(of: Quantizer.nearestOf256(color)) == color)
    }

    @Test(
        "colors are reduced to sixteen, eight, or none",
        arguments: [
            (Color.terminal, nil, nil, false), (.indexed(3), 3, 3, false), (.indexed(11), 11, 3, true),
            (.indexed(8), 8, 7, false), (.rgb(250, 10, 10), 9, 1, true), (.rgb(200, 5, 5), 1, 1, false),
            (.indexed(196), 9, 1, true), (.indexed(16), 0, 0, false), (.rgb(255, 255, 250), 15, 7, true),
        ] as [(Color, UInt8?, UInt8?, Bool)])
    func few(color: Color, ofSixteen: UInt8?, ofEight: UInt8?, bright: Bool) {
        #expect(Quantizer(.sixteen).entry(for: color) == Quantizer.Entry(index: ofSixteen))
        #expect(Quantizer(.eight).entry(for: color) == Quantizer.Entry(index: ofEight, bright: bright))
        #expect(Quantizer(.monochrome).entry(for: color) == Quantizer.Entry(index: nil))
    }

    @Test(
        "the color setting reduces the number of colors but never raises it",
        arguments: [
            (256, ColorDepth.Choice.automatic, ColorDepth.palette), (256, .never, .monochrome), (256, .eight, .eight),
            (256, .sixteen, .sixteen), (8, .palette, .eight), (8, .sixteen, .eight), (0, .palette, .monochrome),
            (16, .automatic, .sixteen), (88, .automatic, .sixteen), (16_777_216, .automatic, .palette),
        ])
    func depth(colors: Int, setting: ColorDepth.Choice, depth: ColorDepth) {
        #expect(ColorDepth.resolve(colors: colors, setting: setting) == depth)
    }

    @Test(
        "a color is light or dark by its luma",
        arguments: [
            (Quantizer.RGB(red: 255, green: 255, blue: 255), true),
            (Quantizer.RGB(red: 30, green: 30, blue: 46), false),
            (Quantizer.RGB(red: 253, green: 246, blue: 227), true), (Quantizer.RGB(red: 0, green: 0, blue: 255), false),
        ])
    func light(color: Quantizer.RGB, isLight: Bool) {
        #expect(Quantizer.isLight(color) == isLight)
    }

    @Test(
        "COLORFGBG indicates a dark background",
        arguments: [("15;0", true), ("0;15", false), ("0;default;7", false), ("12;8", true), ("x", nil)])
    func colorFGBG(value: String, isDark: Bool?) {
        #expect(Environment.isDark(colorFGBG: value) == isDark)
    }
}

@Suite("Color pairs")
struct ColorPairsTests {
    /// Pairs defined in ncurses.
    private final class Definitions {
        var pairs: [Int: [Int]] = [:]
        var firstRejected = Int.max

        func table(available: Int) -> ColorPairs {
            ColorPairs(available: available) { [self] pair, foreground, background in
                guard pair < firstRejected else { return false }
                #expect(pairs[pair] == nil, "a pair on the screen must not change")
                pairs[pair] = [foreground, background]
                return true
            }
        }
    }

    @Test("equal color pairs get equal numbers")
    func equalColors() {
        let definitions = Definitions()
        var pairs = definitions.table(available: 65_536)
        let first = pairs.number(foreground: 196, background: nil)
        let second = pairs.number(foreground: nil, background: 196)
        #expect(first != second)
        #expect(pairs.number(foreground: 196, background: nil) == first)
        #expect(pairs.number(foreground: nil, background: nil) == 0)
        #expect(definitions.pairs == [Int(first): [196, -1], Int(second): [-1, 196]])
    }

    @Test("colors fall back to the first sixteen when pair numbers run out")
    func fallback() throws {
        let definitions = Definitions()
        var pairs = definitions.table(available: 65_536)
        for foreground in UInt8(0)...255 {
            for background in UInt8(0)...255 { _ = pairs.number(foreground: foreground, background: background) }
        }
        #expect(definitions.pairs.count < ColorPairs.maximum)
        // No pair is left for bright red on light gray.
        let late = pairs.number(foreground: 196, background: 254)
        #expect(definitions.pairs[Int(late)] == [9, 7])
        #expect(late == pairs.number(foreground: 9, background: 7))
        #expect(pairs.number(foreground: 14, background: 5) != 0)
    }

    @Test("text keeps its color if the terminal rejects a pair")
    func rejectedPairs() {
        let definitions = Definitions()
        definitions.firstRejected = 3
        var pairs = definitions.table(available: 64)
        let red = pairs.number(foreground: 1, background: nil)
        _ = pairs.number(foreground: 2, background: 4)
        #expect(pairs.number(foreground: 1, background: 4) == red)
        #expect(pairs.number(foreground: 5, background: 4) == 0)
    }

    @Test("text never has the color of its background, and an area of one color is blank")
    func oneColor() {
        let definitions = Definitions()
        var pairs = definitions.table(available: 81)
        let half: UInt32 = 0x2580
        let letter: UInt32 = 0x61
        func look(_ foreground: Color, _ background: Color, _ depth: ColorDepth) -> TerminalStyle {
            TerminalStyle(
                Style(foreground: foreground, background: background, attributes: .underline),
                quantizer: Quantizer(depth), pairs: &pairs)
        }
        // The terminal shows both reds of a heatmap as one color.
        let near = look(.rgb(200, 0, 0), .rgb(210, 10, 10), .eight)
        #expect(definitions.pairs[Int(near.pair)] == [7, 1])
        #expect(near.blank.flatMap { definitions.pairs[Int($0)] } == [-1, 1])
        #expect(near.isBlank(half) && !near.isBlank(letter))
        // Bright red and red are the same background on eight colors.
        #expect(look(.indexed(1), .indexed(9), .eight).isBlank(half))
        #expect(look(.indexed(9), .indexed(1), .sixteen).blank == nil)
        // Equal colors in the style itself hide the text on purpose.
        let same = look(.indexed(23), .indexed(23), .palette)
        #expect(same.isBlank(half) && same.isBlank(letter))
        #expect(look(.terminal, .terminal, .palette).blank == nil)
        #expect(look(.indexed(23), .indexed(24), .palette).blank == nil)
        #expect(look(.indexed(23), .indexed(23), .monochrome).blank == nil)
    }

    @Test("black is never bold on eight colors, because it would be gray")
    func boldBlack() {
        var pairs = Definitions().table(available: 81)
        func attributes(_ color: Color, _ depth: ColorDepth) -> UInt16 {
            let style = Style(foreground: color, background: .indexed(3), attributes: .bold)
            return TerminalStyle(style, quantizer: Quantizer(depth), pairs: &pairs).attributes
        }
        #expect(attributes(.indexed(0), .eight) == 0)
        #expect(attributes(.indexed(1), .eight) == attributes(.indexed(0), .palette))
        #expect(attributes(.indexed(1), .eight) != 0)
    }

    @Test("every combination of eight and of sixteen colors has a pair number", arguments: [8, 16])
    func everyCombination(colors: Int) {
        let definitions = Definitions()
        // ncurses has one pair for any two colors, and two pairs for each color with the terminal's default color.
        var pairs = definitions.table(available: colors * colors + 1 + 2 * colors)
        let choices = [UInt8?.none] + (0..<UInt8(colors)).map { $0 }
        var numbers: Set<Int32> = []
        for foreground in choices {
            for background in choices {
                let number = pairs.number(foreground: foreground, background: background)
                numbers.insert(number)
                guard number != 0 else { continue }
                #expect(
                    definitions.pairs[Int(number)] == [foreground.map(Int.init) ?? -1, background.map(Int.init) ?? -1])
            }
        }
        #expect(numbers.count == (colors + 1) * (colors + 1))
    }
}
