package import Configuration
internal import Glibc
internal import System

/// A change to one key in `config.toml` that preserves comments, order, and blank lines.
struct ConfigurationEdit {
    /// Names of the tables that contain the key, outermost first; empty for a setting.
    let tables: [String]
    let key: String
    let value: SettingValue

    /// Returns the text of a settings file with the key set.
    func applied(to text: String) -> String {
        // Split bytes, not characters: a carriage return and a line feed form a single character.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let header = "[\(tables.joined(separator: "."))]"
        let line = "\(key) = \(value.toml)"
        // Failure is harmless: invalid TOML has no such line, and `save` rejects the result.
        if let number = try? TOMLDocument(text).lines[tables + [key]], lines.indices.contains(number - 1) {
            let statement = Self.statement(at: number - 1, in: lines)
            let comment = Self.comment(in: lines[statement.upperBound])
            lines.replaceSubrange(statement, with: [Self.name(in: lines[number - 1]) + value.toml + comment])
        } else if !tables.isEmpty, let place = lines.firstIndex(where: { Self.isHeader($0, header) }) {
            lines.insert(line, at: place + 1)
        } else if tables.isEmpty {
            let place = insertionPoint(in: lines)
            let isBeforeText = place < lines.count && !lines[place].isEmpty
            lines.insert(contentsOf: isBeforeText ? [line, ""] : [line], at: place)
        } else {
            if lines.last == "" { lines.removeLast() }
            if !lines.isEmpty { lines.append("") }
            lines += [header, line]
        }
        if lines.last != "" { lines.append("") }
        return lines.joined(separator: "\n")
    }

    /// Returns the line at which to insert a setting: before the first table, and below the template's commented-out
    /// line if there is one.
    private func insertionPoint(in lines: [String]) -> Int {
        let end = lines.firstIndex { $0.drop { $0 == " " }.hasPrefix("[") } ?? lines.count
        if let proposal = lines[..<end].firstIndex(where: { $0.hasPrefix("# \(key) = ") }),
            proposal + 1 == lines.count || lines[proposal + 1].isEmpty
        {
            return proposal + 1
        }
        // Comments directly above a table belong to that table.
        var place = end
        while end < lines.count, place > 0, lines[place - 1].hasPrefix("#") { place -= 1 }
        while place > 0, lines[place - 1].isEmpty { place -= 1 }
        return place
    }

    /// Changes a settings file atomically, and creates the file if it is missing.
    ///
    /// - Returns: An error message, or `nil` if the file now has the value.
    func save(in named: String) -> String? {
        // Edit the target of a symbolic link, so that the link stays a link.
        let path = Self.resolved(named)
        var old = ""
        do throws(SmallFile.Failure) {
            old = String(decoding: try SmallFile.read(path, limit: 1 << 20), as: UTF8.self)
        } catch .missing {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            guard XDG.makeFolder(folder) else {
                return "\(named) cannot be written: its folder cannot be created. Check the permissions."
            }
        } catch .tooLong {
            return "\(named) exceeds 1 MiB, so nothing was saved. Shorten it."
        } catch {
            return "\(named) cannot be read, so nothing was saved. Check its permissions."
        }
        do { _ = try TOMLDocument(old) } catch {
            return "\(named)\(error.line.map { ":\($0)" } ?? ""): invalid TOML. Correct it, then try again."
        }
        let new = applied(to: old)
        if new == old { return nil }
        // Failure is harmless: an edit that would break the file is not written.
        guard (try? TOMLDocument(new)) != nil else {
            return "\(key) cannot be set in \(named) without changing other lines. Edit the file yourself."
        }
        guard !Self.isReadOnly(path) else {
            return "\(named) is read-only, so nothing was saved. Make it writable first."
        }
        return SmallFile.replace(path, with: new.utf8) ? nil : "\(named) cannot be written. Check its permissions."
    }

    // MARK: Lines

    /// Returns the lines of the statement that starts on a line; an array may span several lines.
    private static func statement(at first: Int, in lines: [String]) -> ClosedRange<Int> {
        for last in first..<min(lines.count, first + 100) {
            // Failure is expected until the statement is complete.
            let text = lines[first...last].map { $0.filter { $0 != "\r" } }.joined(separator: "\n")
            if (try? TOMLDocument(text)) != nil { return first...last }
        }
        return first...first
    }

    private static func isHeader(_ line: String, _ header: String) -> Bool {
        line.drop { $0 == " " }.prefix { !$0.isWhitespace && $0 != "#" } == header
    }

    /// Returns the start of a line, through the equals sign and a space.
    private static func name(in line: String) -> String {
        index(of: "=", in: line).map { String(line[...$0]) + " " } ?? ""
    }

    /// Returns the end of a line: its comment with the spaces before it, and a carriage return.
    private static func comment(in line: String) -> String {
        guard var start = index(of: "#", in: line) else { return line.hasSuffix("\r") ? "\r" : "" }
        while start > line.startIndex, line[line.index(before: start)].isWhitespace {
            start = line.index(before: start)
        }
        return String(line[start...])
    }

    /// Returns the first index of a character outside quotation marks.
    private static func index(of target: Character, in line: String) -> String.Index? {
        var quote: Character?
        var isEscaped = false
        for (index, character) in zip(line.indices, line) {
            if isEscaped {
                isEscaped = false
            } else if quote == "\"", character == "\\" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == target {
                return index
            }
        }
        return nil
    }

    // MARK: File

    private static func resolved(_ path: String) -> String {
        guard let target = realpath(path, nil) else { return path }
        defer { free(target) }
        return String(cString: target)
    }

    /// Returns whether a file exists that its owner has made read-only; replacing the file would ignore that.
    private static func isReadOnly(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & 0o222 == 0 || access(path, W_OK) != 0
    }
}

extension Settings {
    /// Saves a setting in a settings file, and creates the file if it is missing.
    ///
    /// - Returns: An error message, or `nil` if the setting was saved.
    package static func save(_ definition: SettingDefinition, as value: SettingValue, in path: String) -> String? {
        ConfigurationEdit(tables: [], key: definition.key, value: value).save(in: path)
    }
}

extension KeyRebindings {
    /// Returns the text of `config.toml` with the keys of one action set.
    ///
    /// - Parameters:
    ///   - notation: Keys in the notation of `KeyNotation`, such as `ctrl-g` or `]x`; `none` leaves the action without
    ///     a key.
    ///   - panel: Panel of the action; `nil` for actions of the workbench.
    package static func text(
        _ text: String, settingKeysOf action: String, panel: String?, to notation: String
    ) -> String {
        edit(action, panel, notation).applied(to: text)
    }

    /// Sets the keys of one action in a settings file, and creates the file if it is missing.
    ///
    /// - Returns: An error message, or `nil` if the keys were saved.
    package static func save(
        keysOf action: String, panel: String?, to notation: String, in path: String
    ) -> String? {
        edit(action, panel, notation).save(in: path)
    }

    private static func edit(_ action: String, _ panel: String?, _ notation: String) -> ConfigurationEdit {
        ConfigurationEdit(tables: ["keys"] + (panel.map { [$0] } ?? []), key: action, value: .text(notation))
    }
}
