import ArgumentParser
import Console
import Glibc
import JSON
import Workspace

/// Where results and everything else go: results on standard output, the rest on standard error.
enum Output {
    static func result(_ text: String) {
        write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
    }

    static func raw(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func json(_ value: some JSONRepresentable) { result(value.json(.pretty)) }

    /// What is said may quote a file's name or what was typed: shown escaped.
    static func note(_ text: String) { write(Printable.text(text) + "\n", to: STDERR_FILENO) }

    /// Writes all of a text. A reader that has gone ends the program as it does any filter.
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

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

/// What a person is told of an error: our errors describe themselves in a sentence.
func sentence(for error: any Error) -> String { "\(error)" }

/// A failure whose sentence is all that a person needs: printed on standard error, exit status 1.
struct Failure: Error, CustomStringConvertible {
    var sentence: String
    init(_ sentence: String) { self.sentence = sentence }
    var description: String { sentence }
}

/// Runs the body of a command; every error becomes one sentence.
func answering(_ body: () throws -> Void) throws {
    do {
        try body()
        // A part of the command may have gone on without what it could not read.
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
