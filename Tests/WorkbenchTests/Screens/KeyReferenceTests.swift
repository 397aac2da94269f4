import Console
import TestFixtures
import Testing
import Workbench

@Suite("KEYS.md")
struct KeyReferenceTests {
    @Test("KEYS.md matches the bindings; make reference rewrites it")
    func isUpToDate() throws {
        let kept = try #require(File.text(Place.root + "/KEYS.md"), "KEYS.md is missing: make reference writes it")
        #expect(kept.split(separator: "\n") == Workbench.keyReference.split(separator: "\n"))
    }

    @Test("KEYS.md explains how to change a key, with a valid example")
    func example() throws {
        let reference = Workbench.keyReference
        for part in ["`:keys`", "`~/.config/orrery/config.toml`", Workbench.keyExample] {
            #expect(reference.contains(part), "\(part) is missing")
        }
        for panel in Panels.all { #expect(reference.contains("`\(panel.identifier)`")) }
        let settings = Place.settings(file: Workbench.keyExample)
        #expect(settings.problems.isEmpty)
        #expect(Workbench.keyProblems(settings) == [])
        let keys = settings.keys
        let redraw = try [KeyNotation.keys("f5")]
        #expect(keys.keys(for: "redraw", panel: nil, standard: []) == redraw)
        let nextError = try [KeyNotation.keys("]e"), KeyNotation.keys("f8")]
        #expect(keys.keys(for: "next-error", panel: "traces", standard: []) == nextError)
        #expect(keys.keys(for: "rename", panel: "traces", standard: [[Key(.enter)]]) == [])
    }

    @Test("names every action of every panel")
    func isComplete() {
        for binding in PageHost<TracePage>.bindings { #expect(Workbench.keyReference.contains("`\(binding.name)`")) }
        for binding in ShellAction.bindings { #expect(Workbench.keyReference.contains("`\(binding.name)`")) }
    }
}
