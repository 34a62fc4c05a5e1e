import Glibc
import PlimsollCommands

exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
