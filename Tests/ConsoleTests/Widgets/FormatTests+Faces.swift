import Glibc
import Testing

/// Panels and commands take every figure from `Format` or a type built on it, so that one figure reads the same
/// everywhere.
@Suite("Numbers in panels and commands")
struct FaceFormatTests {
    /// Lines that round for another purpose than text, by file: how many, and why. Add a line here only if its result
    /// is not shown as a number.
    private static let allowed: [String: (lines: Int, why: String)] = [
        "Panels/Tokens/AlternativesTable.swift": (1, "cells of a bar"),
        "Panels/Tokens/TokenCourse.swift": (1, "cells of a bar"),
        "Panels/Retrieval/HealthReading.swift": (1, "cells of a bar"),
        "Panels/Retrieval/PassageReading.swift": (1, "cells of a bar"),
        "Panels/Traces/ContextView.swift": (2, "cells of a bar, and a limit of one percent"),
        "Panels/Traces/WaterfallView.swift": (1, "cells of a bar"),
        "Panels/Evals/EvalStartWords.swift": (1, "whether typed text is a whole number"),
        "Panels/Evals/FailurePage.swift": (1, "cells of a bar"),
        "Panels/Kernels/HistoryChart.swift": (3, "an axis in percent"),
        "Panels/Kernels/KernelDetail.swift": (1, "whole seconds of a date"),
        "Panels/Kernels/KernelPanel+Drawing.swift": (1, "whole seconds of a date"),
        "Panels/Kernels/LadderView.swift": (1, "cells of a whisker"),
        "Panels/Kernels/MeasuringProgress.swift": (1, "steps of a job"),
        "Panels/Features/FeatureCardView.swift": (1, "cells of a bar"),
        "Eval/EvalRunNotes.swift": (1, "a value that an option takes back"),
        "Model/ModelCommand+Quantize.swift": (2, "digits of JSON"),
        "Kernel/KernelCommand+Bits.swift": (1, "data of a kernel"),
    ]

    /// What rounding, scaling to percent, and units behind interpolations look like.
    private static let signs =
        ["String(format:", ".rounded(", "* 100)", "* 100,", "* 100 ", "100 * ", ") %\"", ") % \\", "\"$\\("]
        + ["ns", "µs", "ms", "s", "kB", "MB", "GB"].flatMap { [") \($0)\"", ") \($0) left"] }

    /// Lines of a source that format a number by themselves.
    private static func findings(in source: String) -> [String] {
        var lines: [String] = []
        for line in source.split(separator: "\n").map(String.init) {
            // Searching characters instead of bytes takes seconds for all sources.
            guard signs.contains(where: { strstr(line, $0) != nil }) else { continue }
            let text = line.drop { $0 == " " }
            if !text.hasPrefix("//") { lines.append(String(text)) }
        }
        return lines
    }

    @Test("lines that format a number by themselves are found")
    func finds() {
        let planted = [
            #"let a = "\(Int(share * 100)) %""#, #"let b = String(format: "%.1f", x)"#,
            #"let c = "\(time / 1_000) ms""#,
            #"let d = "$\(cost)""#, #"text += "\(seconds) s left""#, "let e = (x * 10).rounded() / 10",
        ]
        for line in planted { #expect(Self.findings(in: line).count == 1, "\(line)") }
        #expect(Self.findings(in: "    /// 100 * share\n let a = Format.percent(share)\n").isEmpty)
    }

    @Test("no panel and no command rounds or scales a number for its text", arguments: ["Workbench", "orrery"])
    func scan(module: String) throws {
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/Sources/" + module
        let files = Self.swiftFiles(in: root)
        #expect(files.count > 50, "\(root)")
        for file in files {
            let found = Self.findings(in: try #require(Self.text(file), "\(file)"))
            let allowed = Self.allowed.first { file.hasSuffix("/" + $0.key) }?.value.lines ?? 0
            #expect(
                found.count <= allowed,
                "\(file) formats a number by itself: use a function of Format.\n\(found.joined(separator: "\n"))")
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
