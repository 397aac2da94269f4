import Formatting
import Glibc
import Testing

/// Every module formats numbers with `Format`, so that a number looks the same everywhere.
@Suite("Numbers outside Formatting")
struct FaceFormatTests {
    /// Number of lines in each file that round for another purpose, with that purpose. Add a file only if the
    /// result is not shown as a number.
    private static let allowed: [String: (lines: Int, purpose: String)] = [
        "Panels/Tokens/AlternativesTable.swift": (1, "cells of a bar"),
        "Panels/Tokens/TokenCourse.swift": (1, "cells of a bar"),
        "Panels/Retrieval/HealthReading.swift": (1, "cells of a bar"),
        "Panels/Retrieval/PassageReading.swift": (1, "cells of a bar"),
        "Panels/Traces/ContextView.swift": (2, "cells of a bar, and a limit of one percent"),
        "Panels/Traces/WaterfallView.swift": (1, "cells of a bar"),
        "Panels/Evals/EvalStartWords.swift": (1, "check whether typed text is a whole number"),
        "Panels/Evals/FailureClusters+Columns.swift": (1, "cells of a bar"),
        "Panels/Kernels/KernelDetail.swift": (1, "whole seconds of a date"),
        "Panels/Kernels/KernelPage+Roofline.swift": (1, "whole seconds of a date"),
        "Panels/Kernels/LadderView.swift": (1, "cells of a whisker"),
        "Presentation/MeasuringProgress.swift": (1, "steps of a job"),
        "Panels/Features/FeatureCardView.swift": (1, "cells of a bar"),
        "Eval/EvalRunNotes.swift": (1, "a value in the notation of an option"),
    ]

    /// Code that rounds, scales to percent, or puts a unit after an interpolation.
    private static let signs =
        ["String(format:", ".rounded(", "* 100)", "* 100,", "* 100 ", "100 * ", ") %\"", ") % \\", "\"$\\("]
        + ["ns", "µs", "ms", "s", "kB", "MB", "GB"].flatMap { [") \($0)\"", ") \($0) left"] }

    /// Returns the lines of a source file that format a number without `Format`.
    private static func findings(in source: String) -> [String] {
        var lines: [String] = []
        for line in source.split(separator: "\n").map(String.init) {
            // Search bytes, because searching characters takes seconds for all sources.
            guard signs.contains(where: { strstr(line, $0) != nil }) else { continue }
            let text = line.drop { $0 == " " }
            if !text.hasPrefix("//") { lines.append(String(text)) }
        }
        return lines
    }

    @Test("the check finds lines that format a number without Format")
    func finds() {
        let planted = [
            #"let a = "\(Int(share * 100)) %""#, #"let b = String(format: "%.1f", x)"#,
            #"let c = "\(time / 1_000) ms""#,
            #"let d = "$\(cost)""#, #"text += "\(seconds) s left""#, "let e = (x * 10).rounded() / 10",
        ]
        for line in planted { #expect(Self.findings(in: line).count == 1, "\(line)") }
        #expect(Self.findings(in: "    /// 100 * share\n let a = Format.percent(share)\n").isEmpty)
    }

    @Test(
        "panels and commands format all numbers with Format",
        arguments: [("Workbench", 50), ("Commands", 50), ("orrery", 5), ("Presentation", 8), ("CommandSupport", 8)])
    func scan(module: String, minimum: Int) throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Sources/" + module
        let files = Self.swiftFiles(in: root)
        #expect(files.count > minimum, "\(root)")
        for file in files {
            let found = Self.findings(in: try #require(Self.text(file), "\(file)"))
            let allowed = Self.allowed.first { file.hasSuffix("/" + $0.key) }?.value.lines ?? 0
            #expect(
                found.count <= allowed,
                "\(file) formats a number without Format. Use a function of Format.\n\(found.joined(separator: "\n"))")
        }
    }

    /// Number of lines in each engine file that spell out digits for another purpose, with that purpose.
    private static let allowedInEngine: [String: (lines: Int, purpose: String)] = [
        "Agents/Calculator/CalculatorValue+Functions.swift": (1, "exact decimals of 128-bit results"),
        "Evals/Running/RunSchedule+Budget.swift": (1, "an overrun, rounded up"),
        "Configuration/SettingValue.swift": (1, "a TOML number"),
        "Tokenizers/Chat/Library/PercentFormat.swift": (1, "the % operator of chat templates"),
        "Tokenizers/Chat/Values/Value+Printing.swift": (3, "numbers as Python prints them"),
    ]

    /// Returns the lines of an engine file that format a number. Lines without text may round for arithmetic.
    private static func engineFindings(in source: String) -> [String] {
        source.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { line in
            guard !line.hasPrefix("//") else { return false }
            func has(_ sign: String) -> Bool { strstr(line, sign) != nil }
            if has("String(format:") || has("repeating: \"0\"") { return true }
            return has("\\(") && (has(".rounded(") || has("* 100") || has("100 *"))
        }
    }

    @Test("the check of engine modules finds digits in texts, but not arithmetic")
    func findsInEngine() {
        let planted = [
            #"let a = "\((x * 10).rounded() / 10) GB""#, #"let b = String(repeating: "0", count: 4 - n) + digits"#,
            #"let c = "\(Format.fixed(share * 100, digits: 1)) %""#,
        ]
        for line in planted { #expect(Self.engineFindings(in: line).count == 1, "\(line)") }
        #expect(Self.engineFindings(in: "let a = (x * 10).rounded()\n/// \\(x * 100)\n").isEmpty)
    }

    @Test("engine modules format all numbers with Format")
    func scanEngine() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Sources"
        let faces = ["Workbench", "Commands", "orrery", "Presentation", "Formatting"].map { "\(root)/\($0)/" }
        let files = Self.swiftFiles(in: root).filter { file in !faces.contains { file.hasPrefix($0) } }
        #expect(files.count > 500, "\(root)")
        for file in files {
            let found = Self.engineFindings(in: try #require(Self.text(file), "\(file)"))
            let allowed = Self.allowedInEngine.first { file.hasSuffix("/" + $0.key) }?.value.lines ?? 0
            #expect(
                found.count <= allowed,
                "\(file) formats a number without Format. Use a function of Format.\n\(found.joined(separator: "\n"))")
        }
    }

    private static func swiftFiles(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var files: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = folder + "/" + name
            if entry.pointee.d_type == DT_DIR {
                if !name.hasPrefix(".") { files += swiftFiles(in: path) }
            } else if name.hasSuffix(".swift") {
                files.append(path)
            }
        }
        return files
    }

    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }
}
