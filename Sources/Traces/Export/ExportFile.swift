internal import Glibc

/// A file that appears whole or not at all: written beside its place, and renamed when it is complete and on disk.
public enum ExportFile {
    /// Why it could not be written.
    public struct Failure: Error, Hashable, Sendable {
        public var path: String
        public var reason: String
        public var sentence: String { "\(path): \(reason). What was there before is untouched; choose another place." }
    }

    /// Hands `body` a function that appends text to the file.
    public static func write(_ path: String, _ body: ((String) throws -> Void) throws -> Void) throws {
        let temporary = path + ".part"
        guard let file = fopen(temporary, "we") else { throw Failure(path: path, reason: reason) }
        do {
            try body { text in
                guard fputs(text, file) >= 0 else { throw Failure(path: path, reason: reason) }
            }
            guard fflush(file) == 0, fsync(fileno(file)) == 0 else { throw Failure(path: path, reason: reason) }
        } catch {
            fclose(file)
            unlink(temporary)
            throw error
        }
        fclose(file)
        guard rename(temporary, path) == 0 else { throw Failure(path: path, reason: reason) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

extension ExportFile.Failure: CustomStringConvertible {
    public var description: String { sentence }
}
