import Console
import TestFixtures
import Testing
import Workbench

@Suite("KEYS.md")
struct KeyReferenceTests {
    @Test("is what the bindings say; make reference writes it anew")
    func isUpToDate() throws {
        let kept = try #require(File.text(Place.root + "/KEYS.md"), "KEYS.md is missing: make reference writes it")
        #expect(kept.split(separator: "\n") == Workbench.keyReference.split(separator: "\n"))
    }

    @Test("names every action of every panel")
    func isComplete() {
        for binding in TracePanel.bindings { #expect(Workbench.keyReference.contains("`\(binding.name)`")) }
        for binding in ShellAction.bindings { #expect(Workbench.keyReference.contains("`\(binding.name)`")) }
    }
}
