import KernelLab
import TestFixtures
import Testing

/// The profiles next to `Fixtures/Profiles/generate.py`.
enum ProfileFixture {
    static let all = [
        "ncu-wide.csv", "ncu-wide-crlf.csv", "ncu-roofline.csv", "ncu-volta.csv", "ncu-long.csv", "ncu-details.csv",
        "kineto-gpu.json", "kineto-cpu.json", "nsys.sqlite", "rocprof-trace.csv", "rocprof-counters.csv",
        "rocprof-compute.csv", "perf-stat.csv", "perf-interval.csv",
    ]

    static func path(_ name: String, file: String = #filePath) -> String {
        file.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
            + "/Fixtures/Profiles/" + name
    }

    static func read(_ name: String, halfLanes: HalfLanes = .two) throws -> Profile {
        try ProfileReader.read(path(name), options: ProfileImportOptions(halfLanes: halfLanes))
    }

    /// A profile of this text.
    static func read(text: String, in folder: TemporaryFolder) throws -> Profile {
        let path = folder.unique("profile")
        File.write(text, to: path)
        return try ProfileReader.read(path)
    }
}

/// Whether two figures are the same within a thousandth, and of the same quality.
func figuresAgree(_ figure: Figure, _ expected: Figure) -> Bool {
    guard figure.quality == expected.quality else { return false }
    guard let value = figure.value, let other = expected.value else { return true }
    return figuresAgree(value, other)
}

/// Whether two numbers are the same within a thousandth of a percent.
func figuresAgree(_ value: Double?, _ expected: Double) -> Bool {
    guard let value else { return false }
    return abs(value - expected) <= 1e-5 * abs(expected)
}
