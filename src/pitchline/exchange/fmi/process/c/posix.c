/* Processes of Linux and macOS. */

#if !defined _WIN32

#define _GNU_SOURCE
#include "process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#if !defined MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

extern char **environ;

struct pl_process {
    pid_t pid;
    int socket;
};

/* A number above those of standard input and output, which is closed in other processes. */
static int moved(int file)
{
    int other = fcntl(file, F_DUPFD_CLOEXEC, 3);
    close(file);
    return other;
}

static int spawned(pid_t *pid, const char *program, const char *script, int socket)
{
    char *const arguments[] = {(char *)program, (char *)script, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, restored;
    int status;
    sigemptyset(&none);
    sigemptyset(&restored);
    sigaddset(&restored, SIGINT);
    sigaddset(&restored, SIGTERM);
    sigaddset(&restored, SIGCHLD);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, 0);
    posix_spawn_file_actions_adddup2(&actions, socket, 1);
    posix_spawnattr_init(&attributes);
    /* A group of its own: Ctrl-C in a terminal is for the importing program, which decides what happens to its FMUs. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &restored);
    status = posix_spawnp(pid, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return status == 0;
}

pl_process *pl_spawn(const char *program, const char *script)
{
    pl_process *process = malloc(sizeof *process);
    int ends[2], started;
    if (process == NULL)
        return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        free(process);
        return NULL;
    }
    ends[0] = moved(ends[0]);
    ends[1] = moved(ends[1]);
#if defined SO_NOSIGPIPE
    {
        int on = 1;
        setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    }
#endif
    started = ends[0] >= 0 && ends[1] >= 0 && spawned(&process->pid, program, script, ends[1]);
    if (ends[1] >= 0)
        close(ends[1]);
    process->socket = ends[0];
    if (started)
        return process;
    if (ends[0] >= 0)
        close(ends[0]);
    free(process);
    return NULL;
}

static int ready(pl_process *process, short event, double patience)
{
    struct pollfd one = {process->socket, event, 0};
    struct timespec now;
    double end;
    clock_gettime(CLOCK_MONOTONIC, &now);
    end = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + patience;
    for (;;) {
        double left = end - (double)now.tv_sec - 1e-9 * (double)now.tv_nsec;
        int count = poll(&one, 1, left <= 0.0 ? 0 : left > 1e6 ? 1000000000 : (int)(1e3 * left) + 1);
        if (count > 0)
            return PL_ARRIVED;
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            return PL_ENDED;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec >= end)
            return PL_SILENT;
    }
}

int pl_send(pl_process *process, const void *bytes, size_t size, double patience)
{
    const char *next = bytes;
    while (size > 0) {
        ssize_t count = send(process->socket, next, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) {
            next += count;
            size -= (size_t)count;
        } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            int status = ready(process, POLLOUT, patience);
            if (status != PL_ARRIVED)
                return status;
        } else if (count == 0 || errno != EINTR) {
            return PL_ENDED;
        }
    }
    return PL_ARRIVED;
}

int pl_receive(pl_process *process, void *bytes, size_t size, double patience)
{
    char *next = bytes;
    while (size > 0) {
        ssize_t count;
        int status = ready(process, POLLIN, patience);
        if (status != PL_ARRIVED)
            return status;
        count = recv(process->socket, next, size, MSG_DONTWAIT);
        if (count > 0) {
            next += count;
            size -= (size_t)count;
        } else if (count == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
            return PL_ENDED;
        }
    }
    return PL_ARRIVED;
}

int pl_is_running(pl_process *process)
{
    struct pollfd one = {process->socket, POLLIN, 0};
    return poll(&one, 1, 0) <= 0 || (one.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

void pl_end(pl_process *process, double patience, char *how, size_t size)
{
    int status = 0, waited = 0;
    pid_t ended = 0;
    const struct timespec pause = {0, 2000000};
    shutdown(process->socket, SHUT_RDWR);
    close(process->socket);
    while (ended == 0 && waited < (int)(500.0 * patience)) {
        ended = waitpid(process->pid, &status, WNOHANG);
        if (ended == 0) {
            nanosleep(&pause, NULL);
            waited++;
        } else if (ended < 0 && errno == EINTR) {
            ended = 0;
        }
    }
    if (ended == 0) {
        kill(process->pid, SIGKILL);
        while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
            ;
        snprintf(how, size, "was ended");
    } else if (ended > 0 && WIFSIGNALED(status)) {
        snprintf(how, size, "ended by signal %d", WTERMSIG(status));
    } else if (ended > 0) {
        snprintf(how, size, "ended with status %d", WEXITSTATUS(status));
    } else {
        snprintf(how, size, "ended");
    }
    free(process);
}

int pl_python_of_host(char *path, size_t size)
{
    int (*is_running)(void);
    const wchar_t *(*program)(void);
    const wchar_t *wide;
    const char *name;
    size_t n = 0;
    *(void **)&is_running = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
    *(void **)&program = dlsym(RTLD_DEFAULT, "Py_GetProgramFullPath");
    if (is_running == NULL || program == NULL || !is_running() || (wide = program()) == NULL)
        return 0;
    for (; *wide != 0; wide++) {
        uint32_t c = (uint32_t)*wide;
        if (n + 5 > size || (c >= 0xd800 && c < 0xe000))
            return 0; /* bytes that are not UTF-8 */
        if (c < 0x80) {
            path[n++] = (char)c;
        } else if (c < 0x800) {
            path[n++] = (char)(0xc0 | c >> 6);
            path[n++] = (char)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            path[n++] = (char)(0xe0 | c >> 12);
            path[n++] = (char)(0x80 | (c >> 6 & 0x3f));
            path[n++] = (char)(0x80 | (c & 0x3f));
        } else {
            path[n++] = (char)(0xf0 | c >> 18);
            path[n++] = (char)(0x80 | (c >> 12 & 0x3f));
            path[n++] = (char)(0x80 | (c >> 6 & 0x3f));
            path[n++] = (char)(0x80 | (c & 0x3f));
        }
    }
    path[n] = 0;
    name = strrchr(path, '/');
    return name != NULL && strncmp(name + 1, "python", 6) == 0;
}

int pl_first_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    int is_read = file != NULL && fgets(line, (int)size, file) != NULL;
    if (file != NULL)
        fclose(file);
    if (is_read)
        line[strcspn(line, "\r\n")] = 0;
    return is_read && line[0] != 0;
}

#else
typedef int pl_not_posix;
#endif
