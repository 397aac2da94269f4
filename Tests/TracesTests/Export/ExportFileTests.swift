import Foundation
import Testing
import Traces

@Suite("Export files")
final class ExportFileTests {
    private let folder: String
    private struct Stop: Error {}

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/orrery-export-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    @Test("a file has everything that was written, including NUL bytes, and no other file is left")
    func whole() throws {
        try ExportFile.write(folder + "/run.md") { output in
            for line in 0..<10_000 { try output("line \(line)\n") }
            try output("a\u{0}b")
        }
        #expect(try text("run.md").utf8.count == (0..<10_000).reduce(3) { $0 + "line \($1)\n".utf8.count })
        #expect(try text("run.md").hasSuffix("line 9999\na\u{0}b"))
        #expect(try names == ["run.md"])
    }

    @Test("what fails half-way leaves what was there before, and nothing else")
    func failure() throws {
        try ExportFile.write(folder + "/run.md") { try $0("old") }
        #expect(throws: Stop.self) {
            try ExportFile.write(folder + "/run.md") { output in
                try output(String(repeating: "new", count: 100_000))
                throw Stop()
            }
        }
        #expect(try text("run.md") == "old")
        #expect(try names == ["run.md"])
    }

    @Test("a file that is replaced keeps its permissions, and a link its place")
    func replaced() throws {
        try ExportFile.write(folder + "/run.md") { try $0("old") }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/run.md")
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "run.md")
        try ExportFile.write(folder + "/link") { try $0("new") }
        #expect(try text("run.md") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "run.md")
        let permissions = try FileManager.default.attributesOfItem(atPath: folder + "/run.md")[.posixPermissions]
        #expect(permissions as? Int == 0o600)
        #expect(try names == ["link", "run.md"])
    }

    @Test("a device is written to, not replaced")
    func device() throws {
        try ExportFile.write("/dev/null") { try $0("gone") }
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
        #expect(type as? FileAttributeType == .typeCharacterSpecial)
        let failure = #expect(throws: ExportFile.Failure.self) {
            try ExportFile.write("/dev/full") { try $0("nowhere") }
        }
        #expect(failure?.reason == "No space left on device")
    }

    @Test(
        "a place that cannot be is named with the reason and what to do",
        arguments: [("", "Is a directory"), ("/no/such/run.md", "No such file or directory")])
    func impossible(place: String, reason: String) throws {
        let path = folder + place
        let failure = #expect(throws: ExportFile.Failure.self) { try ExportFile.write(path) { try $0("text") } }
        #expect(failure?.reason == reason)
        #expect(failure?.description == "\(path): \(reason). Any existing file is unchanged. Choose a different path.")
    }
}
