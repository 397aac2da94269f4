internal import Configuration
import TOMLKit

extension Theme {
    /// Reads a theme file: `name`, `inherits` (a built-in theme), `[canvas]`, `[palette]` and `[roles]`.
    ///
    /// Roles that the file leaves out look as in the theme that it inherits, or plain. Unknown keys, roles and colors
    /// are refused with their line, so that a slip of the pen is found.
    public init(toml: String) throws(ThemeError) {
        self = try ThemeFile(toml).theme()
    }
}

/// One reading of a theme file.
private struct ThemeFile {
    let root: TOMLTable
    let lines: TOMLLines

    init(_ text: String) throws(ThemeError) {
        do {
            let document = try TOMLDocument(text)
            (root, lines) = (document.root, document.lines)
        } catch { throw ThemeError(line: error.line, error.sentence) }
    }

    func theme() throws(ThemeError) -> Theme {
        for key in root.keys where !["name", "inherits", "canvas", "palette", "roles"].contains(key) {
            throw ThemeError(
                line: line(of: key),
                "a theme has name, inherits, canvas, palette and roles, but no \(key)")
        }
        var theme = try base()
        theme.name = try string("name") ?? theme.name
        let spelling = try palette()
        theme.canvas = try canvas(theme.canvas, spelling)
        for (key, value) in try strings("roles") {
            guard let role = Role(rawValue: key) else {
                let hint = NearestName.hint(to: key, among: Role.allCases.map(\.rawValue))
                throw ThemeError(line: line(of: key, in: "roles"), "no role is called \(key)\(hint)")
            }
            do {
                theme[role] = try spelling.style(value)
            } catch {
                throw ThemeError(line: line(of: key, in: "roles"), "\(key): \(error.problem)")
            }
        }
        return theme
    }

    private func base() throws(ThemeError) -> Theme {
        guard let name = try string("inherits") else {
            return Theme("unnamed", canvas: Theme.dark.canvas, [:])
        }
        guard let theme = Theme.named(name) else {
            let names = Theme.builtIn.map(\.name)
            let hint = NearestName.hint(to: name, among: names)
            throw ThemeError(
                line: line(of: "inherits"), "a theme can inherit \(names.joined(separator: ", ")), not \(name)\(hint)")
        }
        return theme
    }

    private func palette() throws(ThemeError) -> StyleSpelling {
        var spelling = StyleSpelling()
        for (key, value) in try strings("palette") {
            do {
                spelling.palette[key] = try StyleSpelling().color(value)
            } catch {
                throw ThemeError(line: line(of: key, in: "palette"), "\(key): \(error.problem)")
            }
        }
        return spelling
    }

    private func canvas(_ base: Theme.Canvas, _ spelling: StyleSpelling) throws(ThemeError) -> Theme.Canvas {
        var canvas = base
        for (key, value) in try strings("canvas", besides: "painted") {
            let color: Color
            do {
                color = try spelling.color(value)
            } catch {
                throw ThemeError(line: line(of: key, in: "canvas"), "\(key): \(error.problem)")
            }
            switch key {
            case "foreground": canvas.foreground = color
            case "background": canvas.background = color
            default:
                throw ThemeError(
                    line: line(of: key, in: "canvas"), "a canvas has foreground, background and painted, but no \(key)")
            }
        }
        if let painted = root["canvas"]?.table?["painted"] {
            guard let painted = painted.bool else {
                throw ThemeError(line: line(of: "painted", in: "canvas"), "painted must be true or false")
            }
            canvas.isPainted = painted
        }
        return canvas
    }

    private func string(_ key: String) throws(ThemeError) -> String? {
        guard let value = root[key] else { return nil }
        guard let text = value.string else {
            throw ThemeError(line: line(of: key), "\(key) is to be text in quotes")
        }
        return text
    }

    /// The entries of a section in the order of their names; numbers count as text, since a color may be one.
    private func strings(_ section: String, besides other: String? = nil) throws(ThemeError) -> [(String, String)] {
        guard let value = root[section] else { return [] }
        guard let table = value.table else {
            throw ThemeError(line: line(of: section), "\(section) is to be a section: [\(section)]")
        }
        var entries: [(String, String)] = []
        for key in table.keys.sorted() where key != other {
            if let text = table[key]?.string {
                entries.append((key, text))
            } else if let number = table[key]?.int {
                entries.append((key, String(number)))
            } else {
                throw ThemeError(line: line(of: key, in: section), "\(key) is to be text in quotes, or a number")
            }
        }
        return entries
    }

    private func line(of key: String, in section: String = "") -> Int? {
        lines[section.isEmpty ? [key] : [section, key]]
    }
}
