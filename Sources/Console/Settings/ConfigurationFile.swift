internal import Configuration
internal import System
internal import TOMLKit

/// The contents of `config.toml`.
struct ConfigurationFile {
    let path: String
    let text: String

    func apply(to settings: inout Settings) {
        let document: TOMLDocument
        do { document = try TOMLDocument(text) } catch {
            settings.problems.append(
                SettingProblem(
                    place: path, line: error.line,
                    "invalid TOML, so the whole file is ignored: \(Quotation.of(error.words, limit: 200))"))
            return
        }
        let (root, lines) = (document.root, document.lines)
        var found: [SettingProblem] = []
        for key in root.keys {
            let line = lines[[key]]
            if key == "keys" {
                apply(keys: root[key]?.table, line: line, lines, to: &settings, &found)
                continue
            }
            guard let definition = settings.definitions.first(where: { $0.key == key }) else {
                found.append(problem(line, settings.unknown(key)))
                continue
            }
            if let value = SettingValue(root[key]).flatMap(definition.kind.accepted) {
                settings.set(definition, to: value, origin: .file(path: path, line: line))
            } else {
                found.append(problem(line, "\(key) must be \(definition.expectation). The value is ignored."))
            }
        }
        settings.problems += found.sorted { ($0.line ?? 0, $0.text) < ($1.line ?? 0, $1.text) }
    }

    private func apply(
        keys table: TOMLTable?, line: Int?, _ lines: TOMLLines, to settings: inout Settings,
        _ found: inout [SettingProblem]
    ) {
        guard let table else {
            found.append(problem(line, "keys must be a table, such as [keys.traces]."))
            return
        }
        for name in table.keys {
            if let panel = table[name]?.table {
                for action in panel.keys {
                    bind(
                        panel[action], to: action, panel: name, lines[["keys", name, action]], &settings,
                        &found)
                }
            } else {
                bind(table[name], to: name, panel: nil, lines[["keys", name]], &settings, &found)
            }
        }
    }

    private func bind(
        _ value: (any TOMLValueConvertible)?, to action: String, panel: String?, _ line: Int?,
        _ settings: inout Settings, _ found: inout [SettingProblem]
    ) {
        let name = Quotation.of(action)
        var notations: [String] = []
        switch SettingValue(value) {
        case .text(let text): notations = [text]
        case .texts(let texts): notations = texts
        default:
            found.append(
                problem(line, "\(name) must be a key such as \"space\", or a list such as [\"space\", \"p\"]."))
            return
        }
        var sequences: [[Key]] = []
        for notation in notations where notation != "none" {
            do {
                sequences.append(try KeyNotation.keys(notation))
            } catch {
                found.append(problem(line, "\(name): \(error.sentence)"))
                return
            }
        }
        settings.keys.add(
            KeyRebindings.Entry(panel: panel, action: action, keys: sequences, path: path, line: line))
    }

    private func problem(_ line: Int?, _ text: String) -> SettingProblem {
        SettingProblem(place: path, line: line, text)
    }
}
