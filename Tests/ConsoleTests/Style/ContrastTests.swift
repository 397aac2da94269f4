import Console
import Glibc
import Testing

/// Text has a contrast of at least 4.5 to 1 on every background, lines and charts at least 3 to 1.
///
/// WCAG 2.1 requires both (1.4.3 and 1.4.11). The canvas of the theme defines the terminal's default colors, and xterm
/// defines the colors of the palette.
@Suite("Contrast")
struct ContrastTests {
    /// Roles of lines, charts, and controls with a meaning.
    private static let graphics: Set<Role> = Set<Role>([
        .border, .borderFocused, .popupBorder, .scrollThumb, .gauge, .shade,
    ]).union((0..<8).map(Role.series))

    /// Roles of frames, which never occur in a list row.
    private static let frame: Set<Role> = [.border, .borderFocused, .popupBorder, .scrollThumb]

    /// Roles that add no information: the free part of a gauge, whose length the used part shows, and the grid lines
    /// behind a timeline, whose times appear at its edge.
    private static let decoration: Set<Role> = [.gaugeBack, .scrollTrack]

    private static let text = Set(Role.allCases).subtracting(graphics).subtracting(decoration)

    private enum Minimum: Double {
        case text = 4.5
        case graphic = 3
    }

    /// A style that can occur on a screen, with its minimum contrast.
    private struct Case {
        var name: String
        var style: Style
        var minimum: Minimum
    }

    private static func cases(of theme: Theme) -> [Case] {
        var cases = [
            Case(name: "key of the active tab", style: theme[.tabActive].overlaid(with: theme[.accent]), minimum: .text)
        ]
        for role in Role.allCases where !decoration.contains(role) {
            let minimum: Minimum = graphics.contains(role) ? .graphic : .text
            func add(_ place: String, _ style: Style, _ minimum: Minimum) {
                cases.append(Case(name: "\(role.rawValue) \(place)", style: style, minimum: minimum))
            }
            add("on the canvas", theme[role], minimum)
            add("in a popup", theme[.popup].overlaid(with: theme[role]), minimum)
            for look in [RowState.selected, .selectedInactive] where !frame.contains(role) {
                add("in a \(look) row", theme.style(role, in: look), minimum)
            }
            guard text.contains(role) else { continue }
            add("as a match", theme.style(role, found: .match), .text)
            add("as the current match", theme.style(role, found: .matchCurrent), .text)
        }
        return cases
    }

    /// Returns the styles with too little contrast, each with its contrast.
    private static func failures(of theme: Theme, _ depth: ColorDepth?) -> [String] {
        cases(of: theme).compactMap { entry in
            let contrast = Picture(theme.canvas, depth).contrast(of: entry.style)
            guard contrast < entry.minimum.rawValue else { return nil }
            return "\(entry.name): \(entry.style.spelling) has \((100 * contrast).rounded() / 100)"
        }
    }

    @Test("every role is legible on every background", arguments: Themes.all)
    func roles(theme: Theme) {
        #expect(Self.failures(of: theme, nil) == [])
        #expect(Self.failures(of: theme, .palette) == [])
    }

    @Test("the theme for terminals with few colors has enough contrast", arguments: [ColorDepth.sixteen, .eight])
    func fewColors(depth: ColorDepth) {
        // Bold text is bright on these terminals, as in xterm by default.
        let theme = Theme.suited(toColors: depth.rawValue, lightBackground: false)
        #expect(Self.failures(of: theme, depth) == [])
    }

    @Test("the theme for terminals with few colors does not depend on the terminal's background")
    func paintedCanvas() {
        #expect(Theme.suited(toColors: 16, lightBackground: true).canvas.isPainted)
        var surface = Surface(Size(2, 1))
        surface.put("x", at: Point(column: 1, row: 0), style: Style(attributes: .reverse))
        surface.paint(Theme.highContrast.canvas)
        #expect(surface.styleDump == "a b\na = #e4e4e4 on #000000\nb = #e4e4e4 reverse on #000000")
    }

    @Test("numbers and tokens are legible on every color of a heatmap", arguments: Themes.all)
    func heat(theme: Theme) throws {
        let palette = HeatPalette(theme)
        let picture = Picture(theme.canvas, .palette)
        for scale in [HeatScale.sequential(max: 1), .diverging(limit: 1)] {
            for step in -100...100 {
                let value = Float(step) / 100
                // A token's style includes its background. A number has the background of its cell, which the cursor's
                // row or column may cross.
                let token = palette.textStyle(of: value, on: scale, theme: theme)
                #expect(picture.contrast(of: token) >= 4.5, "\(theme.name): token for \(value), \(token.spelling)")
                guard palette.isColored else { continue }
                for isCrossed in [false, true] {
                    guard let color = palette.color(of: value, on: scale, isCrossed: isCrossed) else { continue }
                    let text = palette.textStyle(of: value, on: scale, theme: theme, isCrossed: isCrossed).on(color)
                    #expect(picture.contrast(of: text) >= 4.5, "\(theme.name): \(value) on \(color.spelling)")
                    #expect(Picture(theme.canvas, nil).contrast(of: text) >= 4.5)
                }
            }
        }
        guard palette.isColored else { return }
        let strongest = try #require(palette.color(of: 1, on: .sequential(max: 1)))
        #expect(picture.contrast(of: Style(foreground: strongest)) >= 3, "\(theme.name): strongest heat")
    }
}

/// The built-in themes and every file in `themes`.
private enum Themes {
    static let all: [Theme] = Theme.builtIn + files

    private static let files: [Theme] = {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        guard let directory = opendir(root + "/themes") else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".toml"), Theme.named(String(name.dropLast(5))) == nil { names.append(name) }
        }
        return names.sorted().compactMap { name in
            guard let file = fopen("\(root)/themes/\(name)", "r") else { return nil }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = fread(&bytes, 1, bytes.count, file)
            do {
                return try Theme(toml: String(decoding: bytes.prefix(count), as: UTF8.self))
            } catch {
                Issue.record("\(name): \(error)")
                return nil
            }
        }
    }()
}

/// A screen that shows styles with the colors of a canvas and a color depth.
private struct Picture {
    private let canvas: Theme.Canvas
    /// Quantizer of the screen; `nil` for 24-bit colors.
    private let quantizer: Quantizer?

    init(_ canvas: Theme.Canvas, _ depth: ColorDepth?) {
        self.canvas = canvas
        quantizer = depth.map(Quantizer.init)
    }

    /// Returns the contrast ratio as defined by WCAG 2.1.
    func contrast(of style: Style) -> Double {
        var front = channels(of: style.foreground == .terminal ? canvas.foreground : style.foreground, style, true)
        var back = channels(of: style.background == .terminal ? canvas.background : style.background, style, false)
        if style.attributes.contains(.reverse) { swap(&front, &back) }
        // Terminals show dim text at about half the contrast.
        if style.attributes.contains(.dim) { front = zip(front, back).map { ($0 + $1) / 2 } }
        let (first, second) = (luminance(front), luminance(back))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private func channels(of color: Color, _ style: Style, _ isForeground: Bool) -> [Double] {
        if let entry = quantizer?.entry(for: color), var index = entry.index {
            let isBold = entry.bright || style.attributes.contains(.bold)
            // Black is never sent as bold.
            if quantizer?.depth == .eight, isForeground, isBold, (1..<8).contains(index) { index += 8 }
            return parts(Quantizer.rgb(of: index))
        }
        return switch color.kind {
        case .terminal: [0, 0, 0]
        case .indexed(let index): parts(Quantizer.rgb(of: index))
        case .rgb(let red, let green, let blue): [Double(red), Double(green), Double(blue)]
        }
    }

    private func parts(_ rgb: Quantizer.RGB) -> [Double] { [Double(rgb.red), Double(rgb.green), Double(rgb.blue)] }

    private func luminance(_ channels: [Double]) -> Double {
        let linear = channels.map { value -> Double in
            let part = value / 255
            return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
