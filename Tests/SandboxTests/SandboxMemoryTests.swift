internal import Sandbox
internal import TestFixtures
internal import Testing

/// Kernel memory held for a program in addition to its pages.
@Suite(.serialized)
struct SandboxMemoryTests {
    @Test("what the kernel holds is refused or counted", arguments: SandboxTrial.all)
    func attempts(_ trial: SandboxTrial) throws {
        for attempt in MemoryAttempt.all {
            let outcome = try trial.python(attempt.program, limits: MemoryAttempt.limits)
            #expect(attempt.isStopped(outcome), "\(attempt.name): \(outcome.summary), \(outcome.errorText)")
        }
    }

    @Test("what programs commonly do with processes, sockets and files goes on", arguments: SandboxTrial.all)
    func common(_ trial: SandboxTrial) throws {
        let outcome = try trial.python(
            """
            import asyncio, multiprocessing, os, shutil, socket, sqlite3, subprocess, tempfile, threading
            processes = multiprocessing.get_context('fork')
            with processes.Pool(3) as pool: print(pool.map(abs, [-1, 2, -3]))
            queue = processes.Queue()
            child = processes.Process(target=queue.put, args=(b'x' * 300000,))
            child.start()
            print(len(queue.get()))
            child.join()
            with processes.Manager() as manager: print(dict(manager.dict(a=1)))
            async def said():
                program = await asyncio.create_subprocess_exec('echo', 'async', stdout=subprocess.PIPE)
                return (await program.communicate())[0]
            print(asyncio.run(said()))
            one, other = socket.socketpair()
            one.sendall(b'through a socket')
            print(other.recv(100))
            with tempfile.TemporaryDirectory() as folder:
                with open(folder + '/one', 'wb') as file: file.write(bytes(100000))
                shutil.copy2(folder + '/one', folder + '/two')
                print(os.path.getsize(folder + '/two'), subprocess.run(['cp', folder + '/one', folder + '/three']).returncode)
                base = sqlite3.connect(folder + '/base')
                base.execute('create table numbers (number)')
                base.executemany('insert into numbers values (?)', [(number,) for number in range(100)])
                base.commit()
                print(base.execute('select sum(number) from numbers').fetchone())
            threads = [threading.Thread(target=lambda: None) for _ in range(20)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            print('end')
            """)
        #expect(
            outcome.text == """
                [1, 2, 3]
                300000
                {'a': 1}
                b'async\\n'
                b'through a socket'
                100000 0
                (4950,)
                end

                """, "\(outcome.summary): \(outcome.errorText)")
    }
}
