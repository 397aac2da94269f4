import KernelLab
import TestFixtures
import Testing

@Suite("Commit of a folder")
struct GitHeadTests {
    let folder = TemporaryFolder()
    static let one = String(repeating: "1a", count: 20)
    static let two = String(repeating: "2b", count: 20)

    /// A repository's own files, and a folder within it.
    init() {
        for name in [".git", ".git/refs", ".git/refs/heads", ".git/worktrees", ".git/worktrees/side", "src", "side"] {
            TestFolder.make(folder.file(name))
        }
    }

    func write(_ text: String, to name: String) { File.write(text, to: folder.file(name)) }

    @Test("a detached head is the commit itself")
    func detached() {
        write(Self.one + "\n", to: ".git/HEAD")
        #expect(GitHead.commit(around: folder.path) == Self.one)
        #expect(GitHead.commit(around: folder.file("src")) == Self.one)
    }

    @Test("a branch is looked up in its own file, then among the packed ones")
    func branch() {
        write("ref: refs/heads/main\n", to: ".git/HEAD")
        write("# pack-refs with: peeled\n\(Self.two) refs/heads/main\n^\(Self.one)\n", to: ".git/packed-refs")
        #expect(GitHead.commit(around: folder.path) == Self.two)
        write(Self.one + "\n", to: ".git/refs/heads/main")
        #expect(GitHead.commit(around: folder.path) == Self.one)
    }

    @Test("a work tree names its directory in a file, and its branches lie with the repository")
    func workTree() {
        write("gitdir: \(folder.file(".git/worktrees/side"))\n", to: "side/.git")
        write("ref: refs/heads/side\n", to: ".git/worktrees/side/HEAD")
        write("../..\n", to: ".git/worktrees/side/commondir")
        write(Self.two + "\n", to: ".git/refs/heads/side")
        #expect(GitHead.commit(around: folder.file("side")) == Self.two)
    }

    @Test(
        "a repository without commits, and files that are something else, have none",
        arguments: [
            "ref: refs/heads/unborn\n", "nonsense\n", "", "ref: ", String(repeating: "zz", count: 20),
        ])
    func none(head: String) {
        write(head, to: ".git/HEAD")
        #expect(GitHead.commit(around: folder.path) == nil)
    }
}
