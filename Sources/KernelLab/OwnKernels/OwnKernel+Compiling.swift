internal import Glibc
internal import System
internal import Workspace

/// A person's kernel as a shared library, in a folder that goes with it.
final class CompiledKernel {
    let library: String
    private let folder: String

    init(library: String, folder: String) {
        self.library = library
        self.folder = folder
    }

    deinit {
        for name in ["call.c", "kernel.so"] { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}

extension OwnKernel {
    /// Seconds that a compiler may take.
    private static let compileLimit = 120.0

    /// Compiles the source together with a call that hands over the arguments.
    ///
    /// The call includes the source, so that the compiler itself compares the arguments of the TOML file with the
    /// function's.
    ///
    /// - Throws: `Problem` with the compiler's first words; `CancellationError`.
    func compile(_ cancellation: Cancellation) throws -> CompiledKernel {
        var template = Array((Self.temporaryFolder + "/orrery-kernel-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Problem(.failed, Self.temporaryFolder, "cannot create a folder: \(String(cString: strerror(errno)))")
        }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let compiled = CompiledKernel(library: folder + "/kernel.so", folder: folder)
        try write(callSource, to: folder + "/call.c")
        let strictness = ["implicit-function-declaration", "incompatible-pointer-types", "int-conversion"]
        var words = [compiler] + flags
        words += strictness.map { "-Werror=" + $0 }
        words += ["-shared", "-fPIC", "-o", compiled.library, folder + "/call.c", "-lm"]
        let result: ChildProcess.Output
        do {
            result = try ChildProcess.run(
                System.Launch(words), limits: ChildProcess.Limits(seconds: Self.compileLimit),
                isCancelled: { _ in cancellation.isCancelled })
        } catch {
            throw Problem(
                .failed, path, "cannot start the program: \(error.reason)",
                remedy: "Set `compiler` to a C compiler, or install one.")
        }
        try cancellation.check()
        guard result.ending == .exited(status: 0) else {
            throw Self.compilerError(result, source: source, wrapper: folder + "/call.c", description: path)
        }
        return compiled
    }

    private static var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// `orrery_own_kernel(arrays, sizes)` and its twin for the reference.
    private var callSource: String {
        var array = 0
        var size = 0
        let values = arguments.map { argument -> String in
            if argument.role == .size {
                size += 1
                return "(\(argument.type.inC))sizes[\(size - 1)]"
            }
            array += 1
            return "(\(argument.type.inC) *)arrays[\(array - 1)]"
        }.joined(separator: ", ")
        let full = source.hasPrefix("/") ? source : Self.currentFolder + "/" + source
        let escaped = full.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        func call(_ name: String, _ function: String) -> String {
            "void \(name)(void **arrays, const long *sizes) {\n    (void)arrays, (void)sizes;\n    "
                + "\(function)(\(values));\n}\n"
        }
        return "#include \"\(escaped)\"\n" + call("orrery_own_kernel", function)
            + (reference.map { call("orrery_own_reference", $0) } ?? "")
    }

    private static var currentFolder: String {
        guard let folder = getcwd(nil, 0) else { return "." }
        defer { free(folder) }
        return String(cString: folder)
    }

    private func write(_ text: String, to path: String) throws(Problem) {
        guard let file = fopen(path, "we") else {
            throw Problem(.failed, path, "cannot write the file: \(String(cString: strerror(errno)))")
        }
        let written = fwrite(text, 1, text.utf8.count, file)
        guard fclose(file) == 0, written == text.utf8.count else {
            throw Problem(.failed, path, "cannot write the file: \(String(cString: strerror(errno)))")
        }
    }

    /// The first thing that the compiler found wrong, with the line of the person's file.
    private static func compilerError(
        _ result: ChildProcess.Output, source: String, wrapper: String, description: String
    ) -> Problem {
        if result.stop == .timeLimit {
            return Problem(.limit, source, "the compiler exceeded \(Int(compileLimit)) s and was stopped")
        }
        let lines = String(decoding: result.errors, as: UTF8.self).split(separator: "\n").map(String.init)
        guard let first = lines.first(where: { $0.contains("error") }) else {
            return Problem(.invalid, source, "does not compile: \(lines.first ?? "the compiler gave no reason")")
        }
        let parts = first.split(separator: ":", maxSplits: 3).map { $0.trimmed }
        guard parts.count == 4, let line = Int(parts[1]) else {
            return Problem(.invalid, source, "does not compile: \(first)")
        }
        let reason = parts[3].hasPrefix("error:") ? parts[3].dropFirst(6).trimmed : parts[3]
        if parts[0] == wrapper {
            return Problem(.failed, description, "the arguments do not match the function: \(reason)")
        }
        return Problem(.failed, parts[0], line: line, "does not compile: \(reason)")
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
