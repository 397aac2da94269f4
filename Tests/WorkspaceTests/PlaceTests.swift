import GRDB
import Glibc
import TestFixtures
import Testing
import Workspace

/// Tests of permissions and disk space, on real files and in processes without privileges.
@Suite("Workspace locations")
struct PlaceTests {
    let folder = TemporaryFolder()

    /// Makes the folder read-only for this process, even if the process runs as root.
    static func dropWriteAccess(_ folder: String) {
        chmod(folder, 0o555)
        if getuid() == 0 {
            setgid(65_534)
            setuid(65_534)
        }
    }

    @Test("the error names a read-only location, and reading from it creates no files")
    func readOnlyLocation() async throws {
        try Notebook.open(folder.file("team.orrery")).add("plan")
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            let path = folder + "/team.orrery"
            chmod(path, 0o444)
            Self.dropWriteAccess(folder)
            let error = #expect(throws: WorkspaceError.self) { try Notebook.open(path) }
            #expect(error == .readOnlyLocation(path: path))
            let other = folder + "/new.orrery"
            let errorForNew = #expect(throws: WorkspaceError.self) { try Notebook.open(other) }
            #expect(errorForNew == .readOnlyLocation(path: other))
            let workspace = try Notebook.open(path, access: .readOnly)
            #expect(try workspace.lines() == ["plan"])
            #expect(workspace.journal == .none)
            #expect(throws: WorkspaceError.readOnlyLocation(path: path)) { try workspace.add("more") }
        }
        #expect(folder.names == ["team.orrery"])
    }

    @Test("a writable file in a read-only folder causes the same error")
    func readOnlyFolder() async throws {
        try Notebook.open(folder.file("team.orrery")).add("plan")
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            let path = folder + "/team.orrery"
            chmod(path, 0o666)
            Self.dropWriteAccess(folder)
            let error = #expect(throws: WorkspaceError.self) { try Notebook.open(path) }
            #expect(error == .readOnlyLocation(path: path))
        }
    }

    @Test("a file in a read-only location is never read without its log")
    func readOnlyPlaceWithLog() async throws {
        let workspace = try Notebook.open(folder.file("team.orrery"))
        try workspace.add("in the log")
        let copy = folder.file("copy.orrery")
        write(bytes(of: workspace.path), to: copy)
        write(bytes(of: workspace.path + "-wal"), to: copy + "-wal")
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            let path = folder + "/copy.orrery"
            Self.dropWriteAccess(folder)
            let lines = Result { try Notebook.open(path, access: .readOnly).lines() }
            switch lines {
            case .success(let lines): #expect(lines == ["in the log"])
            case .failure(let error): #expect(error as? WorkspaceError == .readOnlyLocation(path: path))
            }
        }
    }

    @Test("opening another user's private file causes a permission error")
    func permission() async throws {
        try Notebook.open(folder.file("team.orrery")).close()
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            let path = folder + "/team.orrery"
            if getuid() != 0 { chmod(path, 0) }
            Self.dropWriteAccess(folder)
            let error = #expect(throws: WorkspaceError.self) { try Notebook.open(path) }
            #expect(error == .permission(path: path))
        }
    }

    @Test("a full workspace loses nothing and accepts writes again once there is space")
    func fullFile() throws {
        let workspace = try Notebook.open(folder.file("team.orrery"))
        try workspace.add("before")
        try workspace.write { db in try db.execute(sql: "PRAGMA max_page_count = 20") }
        let full = WorkspaceError.diskFull(path: workspace.path, needed: nil)
        #expect(throws: full) { try workspace.bulkWrite { db in try CrashTests.addMany(2000, to: db) } }
        #expect(throws: full) { try workspace.write { db in try CrashTests.addMany(2000, to: db) } }
        #expect(try workspace.lines() == ["before"])
        try workspace.write { db in try db.execute(sql: "PRAGMA max_page_count = 100000") }
        try workspace.bulkWrite { db in try CrashTests.addMany(2000, to: db) }
        #expect(try workspace.lines().count == 2001)
        #expect(try workspace.check().problems == [])
    }

    @Test("writes to a full disk fail with an error and lose nothing")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            // Without permission to mount, use a limit for file sizes instead of a small disk.
            let mounted = TinyDisk.mount(on: folder.path, bytes: 3 << 20)
            if !mounted { TinyDisk.limitFiles(to: 2 << 20) }
            let path = folder.file("team.orrery")
            let workspace = try Notebook.open(path)
            var stored = 0
            do {
                while stored < 100_000 {
                    try workspace.write { db in try CrashTests.addMany(100, to: db) }
                    stored += 100
                }
                Issue.record("more data was stored than the disk can hold")
            } catch let error as WorkspaceError {
                #expect(error == .diskFull(path: path, needed: nil))
            }
            #expect(try workspace.lines().count == stored)
            #expect(throws: WorkspaceError.self) {
                try workspace.bulkWrite { db in try CrashTests.addMany(5000, to: db) }
            }
            #expect(throws: WorkspaceError.self) { try workspace.backup(to: folder.file("copy.orrery")) }
            #expect(!folder.names.contains { $0.contains("copy") })
            #expect(try workspace.lines().count == stored)
            workspace.close()
            let again = try Notebook.open(path)
            #expect(try again.lines().count == stored)
            #expect(try again.check().problems == [])
            again.close()
            if mounted { TinyDisk.unmount(folder.path) }
        }
    }

    @Test("a workspace on a network file system uses a rollback journal and has a note about it")
    func network() throws {
        let path = folder.file("team.orrery")
        func open(_ type: String) throws -> Workspace {
            try Workspace.open(
                path, migrations: Notebook.migrations, create: true,
                circumstances: .init(fileSystem: FileSystem(type: type)))
        }
        let remote = try open("nfs4")
        #expect(remote.journal == .truncate)
        #expect(
            remote.notes == [
                "The workspace is on a network file system (NFS). Orrery uses a rollback journal instead of a "
                    + "write-ahead log, so readers wait for the writer."
            ])
        try remote.add("over the wire")
        try remote.bulkWrite { db in try CrashTests.addMany(10, to: db) }
        #expect(try remote.lines().count == 11)
        #expect(!folder.names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
        remote.close()
        #expect(folder.names == ["team.orrery"])
        let local = try open("ext4")
        #expect(local.journal == .wal)
        #expect(local.notes == [])
        local.close()
        #expect(try open("fuse.sshfs").journal == .truncate)
    }

    @Test("opening a workspace that other users can read adds a note")
    func othersMode() throws {
        let path = folder.file("team.orrery")
        try Notebook.open(path).close()
        chmod(path, 0o644)
        #expect(try Notebook.open(path).notes.contains { $0.contains("chmod 600") })
    }
}

@Suite("File systems")
struct FileSystemTests {
    @Test(
        "file systems that several machines can share count as network file systems",
        arguments: [
            ("ext4", false), ("xfs", false), ("btrfs", false), ("tmpfs", false), ("overlay", false), ("zfs", false),
            ("fuseblk", false), ("nfs", true), ("nfs4", true), ("cifs", true), ("smb3", true), ("9p", true),
            ("fuse.sshfs", true), ("fuse.s3fs", true), ("fuse", true), ("virtiofs", true), ("", false),
        ])
    func kinds(type: String, isNetwork: Bool) {
        #expect(FileSystem(type: type).isNetwork == isNetwork)
    }

    @Test("the longest mount point that contains a path determines its file system; of two equal ones, the later wins")
    func mountTable() {
        let table = """
            25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 25 0:40 / /home rw shared:2 master:1 - nfs4 server:/home rw
            31 30 0:41 / /home/ada/my\\040disk rw - fuse.sshfs ada@host: rw
            32 25 0:42 / /mnt rw - tmpfs none rw
            33 25 0:43 / /mnt rw - cifs //server/share rw
            an invalid line
            """
        #expect(FileSystem.type(of: "/etc/passwd", mountTable: table) == "ext4")
        #expect(FileSystem.type(of: "/home", mountTable: table) == "nfs4")
        #expect(FileSystem.type(of: "/home/ada/x.orrery", mountTable: table) == "nfs4")
        #expect(FileSystem.type(of: "/home/ada/my disk/x.orrery", mountTable: table) == "fuse.sshfs")
        #expect(FileSystem.type(of: "/homeless/x.orrery", mountTable: table) == "ext4")
        #expect(FileSystem.type(of: "/mnt/x.orrery", mountTable: table) == "cifs")
        #expect(FileSystem.type(of: "/etc", mountTable: "") == nil)
    }

    @Test("the file system of /proc is detected")
    func own() {
        #expect(!FileSystem.of("/proc").type.isEmpty)
        #expect(FileSystem.of("/proc").type == "proc")
    }
}
