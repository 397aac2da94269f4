internal import Glibc
internal import System

/// Reads small files of /proc.
struct ProcReader {
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    private mutating func bytes(_ path: String) -> ArraySlice<UInt8> {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        let count = read(file, &buffer, buffer.count)
        return count > 0 ? buffer[..<count] : []
    }

    /// The numbers of a line behind a name in parentheses; words count as 0.
    mutating func fields(_ path: String) -> [Int] {
        var line = bytes(path)
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return [] }
        line = line[(end + 1)...]
        return line.split { $0 <= 0x20 }.map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    }

    /// The sum of the named lines of a file of `name: number kB`.
    mutating func kibibytes(_ path: String, of names: Set<Substring>) -> Int {
        let lines = String(decoding: bytes(path), as: UTF8.self).split(separator: "\n")
        return lines.reduce(0) { sum, line in
            guard let colon = line.firstIndex(of: ":"), names.contains(line[..<colon]) else { return sum }
            let number = line[line.index(after: colon)...].drop { $0 == "\t" || $0 == " " }.prefix { $0.isNumber }
            return sum + (Int(number) ?? 0)
        }
    }

    /// Returns the number of lines in a file, counted up to `limit`.
    mutating func lines(_ path: String, limit: Int) -> Int {
        var count = 0
        each(path, atMost: .max) { part in
            count += part.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
            return count < limit
        }
        return min(count, limit)
    }

    /// Gives a file's bytes part by part, as long as it is wanted.
    mutating func each(_ path: String, atMost most: Int, _ take: (ArraySlice<UInt8>) -> Bool) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var total = 0
        while total < most {
            let count = read(file, &buffer, buffer.count)
            guard count > 0, take(buffer[..<count]) else { return }
            total += count
        }
    }

    mutating func numbers(_ path: String) -> [pid_t] {
        bytes(path).split { $0 <= 0x20 }.compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }

    func names(_ folder: String) -> [String] {
        Folder.readableNames(in: folder).filter { !$0.hasPrefix(".") }
    }
}
