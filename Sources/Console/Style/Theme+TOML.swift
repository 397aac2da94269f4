internal import Configuration
public import System
import TOMLKit

extension Theme {
    /// Creates a theme from a file with `name`, `inherits` (a built-in theme), `[canvas]`, `[palette]`, and `[roles]`.
    ///
    /// Roles missing from the file have the style of the inherited theme, or the plain style if `inherits` is missing.
    /// - Throws: `Problem` with the line of an unknown key, role, or color.
    public init(toml: String) throws(Problem) {
        self = try ThemeFile(toml).theme()
    }
}

/// A parsed theme file.
private struct ThemeFile {
    let root: TOMLTable
    let lines: TOMLLines

    init(_ text: String) throws(Problem) {
        do {
            let document = try TOMLDocument(text)
            (root, lines) = (document.root, document.lines)
        } catch { throw Problem(.invalid, error.line.map { "line \($0)" } ?? "", error.sentence) }
    }

    func theme() throws(Problem) -> Theme {
        for key in root.keys where !["name", "inherits", "canvas", "palette", "roles"].contains(key) {
            throw Problem(
                .unknown, place(of: key), "unknown key \"\(key)\"",
                remedy: "Use name, inherits, canvas, palette, or roles.")
        }
        var theme = try base()
        theme.name = try string("name") ?? theme.name
        let spelling = try palette()
        theme.canvas = try canvas(theme.canvas, spelling)
        for (key, value) in try strings("roles") {
            guard let role = Role(rawValue: key) else {
                throw Problem(
                    .unknown, place(of: key, in: "roles"), "unknown role \"\(key)\"",
                    remedy: NearestName.suggestion(for: key, among: Role.allCases.map(\.rawValue))
                        ?? "themes/dark.toml lists all roles.")
            }
            do {
                theme[role] = try spelling.style(value)
            } catch {
                throw Problem(error.kind, place(of: key, in: "roles"), "\(key): \(error.what)", remedy: error.remedy)
            }
        }
        return theme
    }

    private func base() throws(Problem) -> Theme {
        guard let name = try string("inherits") else {
            return Theme("unnamed", canvas: Theme.dark.canvas, [:])
        }
        guard let theme = Theme.named(name) else {
            let names = Theme.builtIn.map(\.name)
            throw Problem(
                .unknown, place(of: "inherits"), "unknown theme \"\(name)\" for inherits",
                remedy: NearestName.suggestion(for: name, among: names) ?? "Use \(names.joined(separator: ", ")).")
        }
        return theme
    }

    private func palette() throws(Problem) -> StyleSpelling {
        var spelling = StyleSpelling()
        for (key, value) in try strings("palette") {
            do {
                spelling.palette[key] = try StyleSpelling().color(value)
            } catch {
                throw Problem(error.kind, place(of: key, in: "palette"), "\(key): \(error.what)", remedy: error.remedy)
            }
        }
        return spelling
    }

    private func canvas(_ base: Theme.Canvas, _ spelling: StyleSpelling) throws(Problem) -> Theme.Canvas {
        var canvas = base
        for (key, value) in try strings("canvas", except: "painted") {
            let color: Color
            do {
                color = try spelling.color(value)
            } catch {
                throw Problem(error.kind, place(of: key, in: "canvas"), "\(key): \(error.what)", remedy: error.remedy)
            }
            switch key {
            case "foreground": canvas.foreground = color
            case "background": canvas.background = color
            default:
                throw Problem(
                    .unknown, place(of: key, in: "canvas"), "unknown key \"\(key)\" in [canvas]",
                    remedy: "Use foreground, background, or painted.")
            }
        }
        if let painted = root["canvas"]?.table?["painted"] {
            guard let painted = painted.bool else {
                throw Problem(
                    .invalid, place(of: "painted", in: "canvas"), "painted must be true or false, without quotes")
            }
            canvas.isPainted = painted
        }
        return canvas
    }

    private func string(_ key: String) throws(Problem) -> String? {
        guard let value = root[key] else { return nil }
        guard let text = value.string else {
            throw Problem(.invalid, place(of: key), "\(key) must be a string in quotes")
        }
        return text
    }

    /// Returns the entries of a section, sorted by name. Integers become text, because a color can be a number.
    private func strings(_ section: String, except excluded: String? = nil) throws(Problem) -> [(String, String)] {
        guard let value = root[section] else { return [] }
        guard let table = value.table else {
            throw Problem(.invalid, place(of: section), "\(section) must be a section: [\(section)]")
        }
        var entries: [(String, String)] = []
        for key in table.keys.sorted() where key != excluded {
            if let text = table[key]?.string {
                entries.append((key, text))
            } else if let number = table[key]?.int {
                entries.append((key, String(number)))
            } else {
                throw Problem(.invalid, place(of: key, in: section), "\(key) must be a string in quotes or an integer")
            }
        }
        return entries
    }

    private func place(of key: String, in section: String = "") -> String {
        lines[section.isEmpty ? [key] : [section, key]].map { "line \($0)" } ?? ""
    }
}
