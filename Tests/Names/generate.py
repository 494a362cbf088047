#!/usr/bin/env python3
"""Writes the lists of names that `.ci/c-names` compares with: what the headers of three C libraries declare.

    Tests/Names/generate.py FOLDER

FOLDER has clones of these repositories, under these names; the first line of a list says which versions it is from:

    github.com/apple-oss-distributions: Libc, Libm, libmalloc, libplatform, libpthread, xnu -> darwin.txt
    github.com/bminor/musl, a copy of git.musl-libc.org/cgit/musl: musl                     -> musl.txt

The headers of this system, which has to be Linux with glibc, give glibc.txt. Each library is preprocessed and parsed by
the clang of the Swift toolchain (CLANG names another) for its own system, so that a name which its headers hide is not in
the list. A list has names alone: no types, values or texts.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# What POSIX has of a C library that a program of files, processes and threads may use, and where the three keep more.
HEADERS = """
ctype.h dirent.h errno.h fcntl.h grp.h langinfo.h limits.h locale.h malloc.h math.h poll.h pthread.h pwd.h sched.h signal.h spawn.h
stdint.h stdio.h stdlib.h string.h strings.h sys/file.h sys/ioctl.h sys/mman.h sys/resource.h sys/select.h sys/socket.h
sys/stat.h sys/statvfs.h sys/time.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h termios.h time.h unistd.h
crt_externs.h sys/random.h sys/sysctl.h sys/clonefile.h sys/sendfile.h sys/sysinfo.h
""".split()

# What Swift's own module adds to every C library (stdlib/public/Platform/Platform.swift): macros that it cannot import.
SWIFT = """
errno environ stdin stdout stderr open openat fcntl ioctl S_IFMT S_IFIFO S_IFCHR S_IFDIR S_IFBLK S_IFREG S_IFLNK S_IFSOCK
S_IRWXU S_IRUSR S_IWUSR S_IXUSR S_IRWXG S_IRGRP S_IWGRP S_IXGRP S_IRWXO S_IROTH S_IWOTH S_IXOTH S_ISUID S_ISGID S_ISVTX
SIG_DFL SIG_IGN SIG_ERR SIG_HOLD
""".split()

DECLARATIONS = """
EnumConstantDecl EnumDecl FieldDecl FunctionDecl IndirectFieldDecl RecordDecl TypedefDecl VarDecl
""".split()

# Headers that Xcode adds, or that are made when macOS is built: what the others need of them.
STUBS = {
    # The copy of it in xnu is an old one, without the systems of today.
    "Availability.h": "#include_next <Availability.h>\n"
    + "".join(
        "#undef __API_%s\n#define __API_%s(...)\n#define API_%s(...)\n" % (name, name, name)
        for name in ("AVAILABLE", "UNAVAILABLE", "DEPRECATED", "DEPRECATED_WITH_REPLACEMENT")
    )
    + "#define __SPI_AVAILABLE(...)\n",
    "gethostuuid.h": "",
    "TargetConditionals.h": "#define TARGET_OS_MAC 1\n#define TARGET_OS_OSX 1\n",
    "os/base.h": "",
    "os/availability.h": "#include <Availability.h>\n",
    "sys/_posix_availability.h": "".join(
        "#define ___POSIX_C_DEPRECATED_STARTING_%dL\n" % month
        for month in (198808, 199009, 199209, 199309, 199506, 200112, 200809)
    ),
    "sys/_symbol_aliasing.h": "".join(
        "#define __DARWIN_ALIAS_STARTING_MAC___MAC_10_%d(x) x\n" % version for version in range(16)
    ),
}


def run(command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **more).stdout


def export(clone, folder, *paths):
    """Copies paths of the newest commit of a clone; returns its name and its tag, or else the hash."""
    os.makedirs(folder, exist_ok=True)
    archive = run(["git", "-C", clone, "archive", "HEAD", *paths])
    run(["tar", "x", "-C", folder], input=archive)
    version = run(["git", "-C", clone, "describe", "--tags", "--always", "HEAD"]).decode().strip()
    return version


def strip(path):
    """Removes what is removed when Apple's Libc is installed."""
    with open(path, encoding="latin-1") as file:
        text = file.read()
    shorter = re.sub(r"^//Begin-Libc.*?^//End-Libc.*?$", "", text, flags=re.M | re.S)
    if shorter != text:
        with open(path, "w", encoding="latin-1") as file:
            file.write(shorter)


def names(clang, options, folders):
    """The names that the headers declare when they are compiled with these options."""
    present = [h for h in HEADERS if any(os.path.exists(os.path.join(folder, h)) for folder in folders)]
    source = "".join("#include <%s>\n" % header for header in present)
    command = [clang, "-x", "c", "-D_GNU_SOURCE", *options, "-"]

    def macros(text):
        result = run(command + ["-E", "-dM"], input=text.encode()).decode()
        return set(re.findall(r"^#define (\w+)", result, re.M))

    # Those that begin with two underscores are for the headers alone; types and fields of that kind are seen by Swift.
    found = {name for name in macros(source) - macros("") if not name.startswith("__")}

    def walk(node):
        # Parameters and bodies declare nothing for others.
        if node.get("kind") in DECLARATIONS and node.get("name"):
            found.add(node["name"])
        if node.get("kind") in ("TranslationUnitDecl", "RecordDecl", "EnumDecl"):
            for child in node.get("inner", []):
                walk(child)

    tree = run(command + ["-fsyntax-only", "-w", "-Xclang", "-ast-dump=json"], input=source.encode())
    walk(json.loads(tree))
    return found


def write(name, origin, found):
    with open(os.path.join(HERE, name + ".txt"), "w") as file:
        file.write("# %s\n" % origin)
        file.writelines(word + "\n" for word in sorted(found | set(SWIFT)))


def main(clones):
    clang = os.environ.get("CLANG", "clang")
    own = os.path.join(run([clang, "-print-resource-dir"]).decode().strip(), "include")
    with tempfile.TemporaryDirectory() as work:
        at = lambda *parts: os.path.join(work, *parts)
        version = export(os.path.join(clones, "musl"), at("musl"), "include", "arch", "tools")
        bits = at("made", "bits")
        os.makedirs(bits)
        lists = [at("musl", "arch/x86_64/bits/alltypes.h.in"), at("musl", "include/alltypes.h.in")]
        with open(os.path.join(bits, "alltypes.h"), "wb") as file:
            file.write(run(["sed", "-f", at("musl", "tools/mkalltypes.sed"), *lists]))
        folders = [at("musl", "include")]
        more = [at("made"), at("musl", "arch/x86_64"), at("musl", "arch/generic")]
        options = ["--target=x86_64-unknown-linux-musl", "-nostdinc"]
        for folder in folders + more + [own]:
            options += ["-isystem", folder]
        write("musl", "musl " + version, names(clang, options, folders))

        versions = []
        for clone, paths in [
            ("Libc", ["include", "darwin"]), ("Libm", ["Source"]), ("libmalloc", ["include"]),
            ("libplatform", ["include"]), ("libpthread", ["include"]),
            ("xnu", ["bsd", "osfmk", "libkern/libkern", "libsyscall/wrappers", "EXTERNAL_HEADERS"]),
        ]:
            version = export(os.path.join(clones, clone), at(clone), *paths)
            versions.append(version if version.lower().startswith(clone.lower()) else clone + " " + version)
        for folder, _, files in os.walk(at("Libc")):
            for name in files:
                strip(os.path.join(folder, name))
        # The one that is installed is xnu's.
        os.remove(at("Libc", "include/sys/cdefs.h"))
        for name, text in STUBS.items():
            path = at("stubs", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        folders = [
            at("stubs"), at("Libc", "include"), at("libpthread", "include"), at("libplatform", "include"),
            at("libmalloc", "include"), at("xnu", "libsyscall/wrappers/spawn"), at("libpthread", "include/pthread"),
            at("xnu", "bsd"), at("xnu", "osfmk"), at("xnu", "libkern"), at("xnu", "EXTERNAL_HEADERS"),
            at("Libm", "Source/ARM"),
        ]
        options = ["--target=arm64-apple-macos15", "-nostdinc", "-D_DARWIN_C_SOURCE", "-isystem", own]
        for folder in folders:
            options += ["-isystem", folder]
        write("darwin", ", ".join(versions), names(clang, options, folders))

    version = run(["ldd", "--version"]).decode().split("\n")[0].split()[-1]
    write("glibc", "glibc " + version, names(clang, [], ["/usr/include", "/usr/include/x86_64-linux-gnu"]))


main(*sys.argv[1:])
