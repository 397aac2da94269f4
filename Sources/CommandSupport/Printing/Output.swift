import ArgumentParser
import Console
import Glibc
package import JSON
import Workspace

/// Output of the program: results on standard output, everything else on standard error.
package enum Output {
    package static func result(_ text: String) {
        write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
    }

    package static func raw(_ text: String) { write(text, to: STDOUT_FILENO) }

    package static func json(_ value: some JSONRepresentable) { result(value.json(.pretty)) }

    /// Prints a note. File names and typed text may be quoted, so the note is escaped.
    package static func note(_ text: String) { write(Printable.text(text) + "\n", to: STDERR_FILENO) }

    /// Writes a whole text. If the reader has closed the pipe, the program ends, as filters do.
    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    _exit(errno == EPIPE ? 0 : 1)
                }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    package static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

/// Returns the sentence that describes an error to the user.
package func sentence(for error: any Error) -> String { "\(error)" }

/// A failure with a sentence for the user, printed on standard error. The exit status is 1.
package struct Failure: Error, CustomStringConvertible {
    package var sentence: String
    package init(_ sentence: String) { self.sentence = sentence }
    package var description: String { sentence }
}

/// Runs the body of a command; every error becomes one sentence.
package func answering(_ body: () throws -> Void) throws {
    do {
        try body()
        // The command may have continued without input that it could not read.
        if let damage = Workspace.damageOfProcess { throw damage }
    } catch let exit as ExitCode {
        throw exit
    } catch let wrongUse as ValidationError {
        throw wrongUse
    } catch {
        Output.note("orrery: \(sentence(for: error))")
        throw ExitCode(1)
    }
}
